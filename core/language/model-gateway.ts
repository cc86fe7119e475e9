/** Makes all calls of the language model in a process: a limited number at once, each with a time limit, and none while the provider fails. */

import { asServiceError, fail, ServiceError } from "../errors/fail.ts";
import type { Generated, LanguageModel, Question, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";
import { createKeyedMutex, type KeyedMutex } from "../runtime/keyed-mutex.ts";
import { createCircuit } from "./circuit.ts";
import type { Digest } from "./fingerprint.ts";
import type { ModelTerms } from "./terms.ts";
import { createTurns } from "./turns.ts";

export interface ModelGateway {
	/** Provider and model. */
	readonly name: string;
	readonly terms: ModelTerms;
	readonly digest: Digest;
	/** @param questionFingerprint names the question, so that one that keeps failing is recognised. */
	readonly generate: (question: Question, questionFingerprint: string, step: Step) => Promise<Generated>;
	/** Identical concurrent questions are asked once. */
	readonly oneAtATime: KeyedMutex;
}

export function createModelGateway(model: LanguageModel, terms: ModelTerms, digest: Digest, world: World): ModelGateway {
	const name = `${model.name}/${model.model}`;
	const circuit = createCircuit(name, world);
	const turns = createTurns(terms.callsAtOnce);
	return {
		name,
		terms,
		digest,
		oneAtATime: createKeyedMutex(),
		generate: (question, questionFingerprint, step) =>
			turns(step.signal, async () => {
				const call = circuit.begin(questionFingerprint);
				try {
					const generated = await within(terms.timeoutMs, name, step, (bounded) => model.generate(question, bounded));
					call.succeeded();
					return generated;
				} catch (thrown) {
					if (!step.signal.aborted) throw call.failed(reasonOf(thrown, name, world));
					call.abandoned();
					throw step.signal.reason;
				}
			}),
	};
}

/** A plugin that ignores the signal is not waited for. */
async function within(timeoutMs: number, name: string, step: Step, generate: (bounded: Step) => Promise<Generated>): Promise<Generated> {
	const signal = AbortSignal.any([step.signal, AbortSignal.timeout(timeoutMs)]);
	const { promise: ended, reject } = Promise.withResolvers<never>();
	const late = () => fail("MODEL_UNAVAILABLE", name, `no answer came within ${timeoutMs / 1_000} seconds`);
	const stop = () => reject(late());
	signal.addEventListener("abort", stop, { once: true });
	try {
		return await Promise.race([ended, generate({ ...step, signal })]);
	} catch (thrown) {
		// The reason is the timeout, whatever error the aborted plugin throws.
		throw signal.aborted ? late() : thrown;
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** An error of the plugin becomes `MODEL_DECLINED`, with which documents are processed without the model. */
function reasonOf(thrown: unknown, name: string, world: World): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	world.log("error", "the plugin of the language model failed", { model: name, cause: thrown instanceof Error ? thrown.stack : String(thrown) });
	return fail("MODEL_DECLINED", name, "its plugin failed").because(asServiceError(thrown));
}

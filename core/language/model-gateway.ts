/** Makes all calls of the language model in a process: a limited number of concurrent ones, each with a timeout, and none while the circuit is open. */

import { asServiceError, fail, ServiceError } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Generated, LanguageModel, ModelRequest, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";
import { createKeyedMutex, type KeyedMutex } from "../runtime/keyed-mutex.ts";
import { createCircuit } from "./circuit.ts";
import type { Digest } from "./fingerprint.ts";
import type { ModelPolicy } from "./model-policy.ts";
import { createSemaphore } from "./semaphore.ts";

export interface ModelGateway {
	/** Provider and model. */
	readonly name: string;
	readonly policy: ModelPolicy;
	/** How many tokens a day the operator allows an organisation; null for no limit. */
	readonly tokenQuota: (organisation: OrganisationId) => Promise<number | null>;
	readonly digest: Digest;
	/** @param requestFingerprint identifies the request, so that one that fails repeatedly is recognised. */
	readonly generate: (request: ModelRequest, requestFingerprint: string, step: Step) => Promise<Generated>;
	/** Makes identical concurrent requests wait for each other, so that only the first one calls the model. */
	readonly oneAtATime: KeyedMutex;
}

/** The policy, with the smaller of the budget and the quota of the organisation. */
export async function policyFor(organisation: OrganisationId, { policy, tokenQuota }: Pick<ModelGateway, "policy" | "tokenQuota">): Promise<ModelPolicy> {
	const quota = await tokenQuota(organisation);
	return quota === null ? policy : { ...policy, tokensPerDay: Math.min(quota, policy.tokensPerDay ?? quota) };
}

export function createModelGateway(
	model: LanguageModel,
	policy: ModelPolicy,
	digest: Digest,
	world: World,
	tokenQuota: ModelGateway["tokenQuota"] = async () => null,
): ModelGateway {
	const name = `${model.name}/${model.model}`;
	const circuit = createCircuit(name, world);
	const semaphore = createSemaphore(policy.concurrentCallsMax);
	return {
		name,
		policy,
		tokenQuota,
		digest,
		oneAtATime: createKeyedMutex(),
		generate: (request, requestFingerprint, step) =>
			semaphore(step.signal, async () => {
				const call = circuit.begin(requestFingerprint);
				try {
					const generated = await withTimeout(policy.timeoutMs, name, step, (step) => model.generate(request, step));
					call.succeeded();
					return generated;
				} catch (thrown) {
					if (!step.signal.aborted) throw call.failed(asModelError(thrown, name, world));
					call.abandoned();
					throw step.signal.reason;
				}
			}),
	};
}

/** Rejects at the timeout, even if the plugin ignores the signal. */
async function withTimeout(timeoutMs: number, name: string, step: Step, generate: (step: Step) => Promise<Generated>): Promise<Generated> {
	const signal = AbortSignal.any([step.signal, AbortSignal.timeout(timeoutMs)]);
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const timeoutError = () => fail("MODEL_UNAVAILABLE", name, `no response came within ${timeoutMs / 1_000} seconds`);
	const stop = () => reject(timeoutError());
	signal.addEventListener("abort", stop, { once: true });
	try {
		return await Promise.race([aborted, generate({ ...step, signal })]);
	} catch (thrown) {
		// The timeout is the cause, whatever error the aborted plugin throws.
		throw signal.aborted ? timeoutError() : thrown;
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** An unexpected error of the plugin becomes `MODEL_DECLINED`, after which the document is processed without the model. */
function asModelError(thrown: unknown, name: string, world: World): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	world.log("error", "the plugin of the language model failed", { model: name, cause: thrown instanceof Error ? thrown.stack : String(thrown) });
	return fail("MODEL_DECLINED", name, "its plugin failed").because(asServiceError(thrown));
}

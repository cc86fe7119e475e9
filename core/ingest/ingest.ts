/** The stages of a document, from received to remembered. Read this file first. */

import { fail, ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { DocumentStatus } from "../model/status.ts";
import type { Step } from "../plugin/contract.ts";
import type { Chunked, Embedded, Extracted, Indexed, Published, Received, Remembered } from "./stage-results.ts";

export interface Stages {
	readonly extract: (received: Received, step: Step) => Promise<Extracted>;
	readonly chunk: (extracted: Extracted, step: Step) => Promise<Chunked>;
	readonly embed: (chunked: Chunked, step: Step) => Promise<Embedded>;
	readonly index: (embedded: Embedded, step: Step) => Promise<Indexed>;
	readonly remember: (published: Published, step: Step) => Promise<Remembered>;
}

export async function ingest(received: Received, stages: Stages, enter: Enter, step: Step): Promise<Remembered> {
	const { during, end } = watch(enter, step);

	const extracted = await during("extracting", limits.extractStageTimeoutMs, (bounded) => stages.extract(received, bounded));
	const chunked = await during("chunking", limits.stageTimeoutMs, (bounded) => stages.chunk(extracted, bounded));
	const embedded = await during("embedding", limits.stageTimeoutMs, (bounded) => stages.embed(chunked, bounded));
	const indexed = await during("indexing", limits.stageTimeoutMs, (bounded) => stages.index(embedded, bounded));
	const remembered = await during("indexing", limits.memoryStageTimeoutMs, (bounded) => stages.remember(indexed, bounded));

	await end();
	return remembered;
}

/** The last stages, for a document whose revision an earlier attempt has published. */
export async function finish(published: Published, stages: Pick<Stages, "remember">, enter: Enter, step: Step): Promise<Remembered> {
	const { during, end } = watch(enter, step);
	const remembered = await during("indexing", limits.memoryStageTimeoutMs, (bounded) => stages.remember(published, bounded));
	await end();
	return remembered;
}

/** A stage failed: which one, and why. The worker writes both on the document. */
export class StageFailure extends Error {
	override readonly name = "StageFailure";
	readonly stage: DocumentStatus;
	readonly reason: ServiceError;

	constructor(stage: DocumentStatus, reason: ServiceError) {
		super(`${stage}: ${reason.message}`, { cause: reason });
		this.stage = stage;
		this.reason = reason;
	}
}

/** Shows the statuses, ends what takes too long, and names the stage in any error. */
function watch(enter: Enter, step: Step) {
	const statuses = showLatest(enter);

	async function during<Result>(stage: DocumentStatus, timeoutMs: number, run: (bounded: Step) => Promise<Result>): Promise<Result> {
		step.signal.throwIfAborted();
		try {
			statuses.show(stage);
			return await within(timeoutMs, stage, step, run);
		} catch (thrown) {
			// One that came after the failure would hide it.
			await statuses.settled().catch(() => undefined);
			throw new StageFailure(stage, thrown instanceof ServiceError ? thrown : new ServiceError("STAGE_FAILED", [stage], thrown));
		}
	}

	return {
		during,
		end: () => {
			statuses.show("done");
			return statuses.settled();
		},
	};
}

/**
 * The result, unless the time is up or the signal comes first. The running stage gets the signal too: it must not go on for a document
 * that is tried again beside it. `AbortSignal.timeout` needs no timer of ours to clear.
 */
async function within<Result>(timeoutMs: number, stage: DocumentStatus, step: Step, run: (bounded: Step) => Promise<Result>): Promise<Result> {
	const signal = AbortSignal.any([step.signal, AbortSignal.timeout(timeoutMs)]);
	const { promise: ended, reject } = Promise.withResolvers<never>();
	const stop = () => reject(step.signal.aborted ? step.signal.reason : fail("STAGE_TIMEOUT", stage, timeoutMs / 1_000));
	signal.addEventListener("abort", stop, { once: true });
	try {
		return await Promise.race([ended, run({ ...step, signal })]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** Shows a status to the client. Throws `DOCUMENT_SUPERSEDED` when the revision is gone. */
export type Enter = (status: DocumentStatus) => Promise<void>;

export interface ShownStatuses {
	/** Throws what an earlier status has met, so that no stage begins for a revision that is gone. */
	readonly show: (status: DocumentStatus) => void;
	/** Resolves when the latest is shown; rejects when it, or one before it, could not be. */
	readonly settled: () => Promise<void>;
}

/**
 * Writes statuses beside the stages: no stage waits for its own status to be stored, which for a short note would take most of the
 * time. They are written one after another; a status that is outdated before its turn is skipped.
 */
export function showLatest(enter: Enter): ShownStatuses {
	let latest: DocumentStatus | null = null;
	let written: DocumentStatus | null = null;
	let writing: Promise<void> | null = null;
	let refusal: { readonly thrown: unknown } | null = null;

	/** `writing` is taken back in the same breath in which the last look found nothing new. */
	async function catchUp(): Promise<void> {
		try {
			while (latest !== null && latest !== written) {
				const status = latest;
				await enter(status);
				written = status;
			}
		} catch (thrown) {
			refusal = { thrown };
		} finally {
			writing = null;
		}
	}

	return {
		show(status) {
			if (refusal !== null) throw refusal.thrown;
			if (status === latest) return;
			latest = status;
			writing ??= catchUp();
		},
		async settled() {
			await writing;
			if (refusal !== null) throw refusal.thrown;
		},
	};
}

/** Runs the stages of a document, from the first to the last. This is a good file to read first. */

import { fail, ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { DocumentStatus } from "../model/status.ts";
import type { Step } from "../plugin/contract.ts";
import type {
	ChunkedDocument,
	EmbeddedDocument,
	ExtractedDocument,
	IndexedDocument,
	PublishedDocument,
	ReceivedDocument,
	RememberedDocument,
} from "./stage-results.ts";

export interface Stages {
	readonly extract: (received: ReceivedDocument, step: Step) => Promise<ExtractedDocument>;
	readonly chunk: (extracted: ExtractedDocument, step: Step) => Promise<ChunkedDocument>;
	readonly embed: (chunked: ChunkedDocument, step: Step) => Promise<EmbeddedDocument>;
	readonly index: (embedded: EmbeddedDocument, step: Step) => Promise<IndexedDocument>;
	readonly remember: (published: PublishedDocument, step: Step) => Promise<RememberedDocument>;
}

export async function ingest(received: ReceivedDocument, stages: Stages, setStatus: SetStatus, step: Step): Promise<RememberedDocument> {
	const { during: runStage, end } = stageRunner(setStatus, step);

	const extracted = await runStage("extracting", limits.extractStageTimeoutMs, (stageStep) => stages.extract(received, stageStep));
	const chunked = await runStage("chunking", limits.stageTimeoutMs, (stageStep) => stages.chunk(extracted, stageStep));
	const embedded = await runStage("embedding", limits.stageTimeoutMs, (stageStep) => stages.embed(chunked, stageStep));
	const indexed = await runStage("indexing", limits.stageTimeoutMs, (stageStep) => stages.index(embedded, stageStep));
	const remembered = await runStage("indexing", limits.memoryStageTimeoutMs, (stageStep) => stages.remember(indexed, stageStep));

	await end();
	return remembered;
}

/** Runs the last stage, for a document whose revision was published by an earlier attempt. */
export async function finish(published: PublishedDocument, stages: Pick<Stages, "remember">, setStatus: SetStatus, step: Step): Promise<RememberedDocument> {
	const { during: runStage, end } = stageRunner(setStatus, step);
	const remembered = await runStage("indexing", limits.memoryStageTimeoutMs, (stageStep) => stages.remember(published, stageStep));
	await end();
	return remembered;
}

/** Thrown if a stage fails. It states which stage and why; both are stored with the document. */
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

/** Runs stages: writes the status of each, enforces its timeout, and adds the stage to any error. */
function stageRunner(setStatus: SetStatus, step: Step) {
	const statusWriter = createStatusWriter(setStatus);

	async function runStage<Result>(stage: DocumentStatus, timeoutMs: number, run: (stageStep: Step) => Promise<Result>): Promise<Result> {
		step.signal.throwIfAborted();
		try {
			statusWriter.show(stage);
			return await withTimeout(timeoutMs, stage, step, run);
		} catch (thrown) {
			// A status that is written after the failure would hide it.
			await statusWriter.settled().catch(() => undefined);
			throw new StageFailure(stage, thrown instanceof ServiceError ? thrown : new ServiceError("STAGE_FAILED", [stage], thrown));
		}
	}

	return {
		during: runStage,
		end: () => {
			statusWriter.show("done");
			return statusWriter.settled();
		},
	};
}

/**
 * Runs a stage until its timeout or until the job is aborted. The stage gets the signal too, so that it does not go on while the document is
 * already being tried again. `AbortSignal.timeout` needs no timer that has to be cleared.
 */
async function withTimeout<Result>(timeoutMs: number, stage: DocumentStatus, step: Step, run: (stageStep: Step) => Promise<Result>): Promise<Result> {
	const signal = AbortSignal.any([step.signal, AbortSignal.timeout(timeoutMs)]);
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const stop = () => reject(step.signal.aborted ? step.signal.reason : fail("STAGE_TIMEOUT", stage, timeoutMs / 1_000));
	signal.addEventListener("abort", stop, { once: true });
	try {
		return await Promise.race([aborted, run({ ...step, signal })]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

/** Stores a status, which clients can then see. Throws `DOCUMENT_SUPERSEDED` if the revision is gone. */
export type SetStatus = (status: DocumentStatus) => Promise<void>;

export interface StatusWriter {
	/** Begins to write a status. Throws the error of an earlier write, so that no stage begins for a revision that is gone. */
	readonly show: (status: DocumentStatus) => void;
	/** Resolves when the latest status is written; rejects if it, or one before it, could not be written. */
	readonly settled: () => Promise<void>;
}

/**
 * Writes statuses while the stages run: no stage waits until its status is stored, which would take most of the time for a short note.
 * They are written one after another; a status that is outdated before it is written is skipped.
 */
export function createStatusWriter(setStatus: SetStatus): StatusWriter {
	let latest: DocumentStatus | null = null;
	let written: DocumentStatus | null = null;
	let writing: Promise<void> | null = null;
	let failure: { readonly thrown: unknown } | null = null;

	/** Writes until there is nothing new. `writing` is cleared in the same synchronous step in which the loop ends, so no status is missed. */
	async function writeLatest(): Promise<void> {
		try {
			while (latest !== null && latest !== written) {
				const status = latest;
				await setStatus(status);
				written = status;
			}
		} catch (thrown) {
			failure = { thrown };
		} finally {
			writing = null;
		}
	}

	return {
		show(status) {
			if (failure !== null) throw failure.thrown;
			if (status === latest) return;
			latest = status;
			writing ??= writeLatest();
		},
		async settled() {
			await writing;
			if (failure !== null) throw failure.thrown;
		},
	};
}

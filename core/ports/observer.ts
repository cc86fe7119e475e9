/** Observes what the process does, for metrics, traces and log lines. Core says what it does, and the server decides what is kept of it. */

import type { ErrorCode } from "../errors/catalog.ts";
import type { Job } from "./job-queue.ts";

/** `stage` is a stage of a document, `embed` a batch of texts, `search` a whole search, and `leg` one of its steps. */
export type ObservedKind = "stage" | "embed" | "search" | "leg";

/** No argument contains content, a container tag or an id, except those of jobs. */
export interface Observer {
	/** Runs the work. What is observed inside it is part of it. `name` is one of a few words, such as `chunking`. */
	readonly observe: <Result>(kind: ObservedKind, name: string, work: () => Promise<Result>) => Promise<Result>;
	/** Runs one attempt at a job, as part of the trace in which the job was created. */
	readonly runJob: <Result>(job: Job, work: () => Promise<Result>) => Promise<Result>;
	/** The current span as a `traceparent`, to be stored with a job that is created; null outside of a trace. */
	readonly traceparent: () => string | null;
	/** Called inside `runJob`, whose work does not reject then. */
	readonly jobFailed: (job: Job, code: ErrorCode) => void;
}

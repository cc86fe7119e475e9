/** A measurement that one thread makes and another counts. It can be posted between threads, and has no id, no container tag and no content. */

import type { ErrorCode } from "../../core/errors/catalog.ts";
import type { Task } from "../../core/ports/job-queue.ts";
import type { ObservedKind } from "../../core/ports/observer.ts";

export type Measurement =
	| { readonly kind: ObservedKind | "job"; readonly name: string; readonly seconds: number; readonly isFailed: boolean }
	| { readonly kind: "request"; readonly route: string; readonly method: string; readonly status: number; readonly seconds: number }
	| { readonly kind: "failure"; readonly task: Task; readonly code: ErrorCode };

/** The state of one thread at the moment. */
export interface ThreadState {
	/** The longest event loop lag since the last report. */
	readonly lagSeconds: number;
	readonly sandboxProcesses: number;
}

/** What the ingest thread reports when it is asked. */
export interface ThreadReport extends ThreadState {
	readonly measurements: readonly Measurement[];
}

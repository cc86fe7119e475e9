/** The observer of one thread: passes measurements on and opens spans. Without metrics and traces it only adds the ids of jobs to log lines. */

import type { Job } from "../../core/ports/job-queue.ts";
import type { Observer } from "../../core/ports/observer.ts";
import type { Log } from "../../core/ports/world.ts";
import type { Settings } from "../settings/settings.ts";
import { currentContext, runInContext } from "./context.ts";
import type { Measurement } from "./measurement.ts";
import type { Tracing } from "./tracing.ts";

export interface ThreadObserver extends Observer {
	/** Takes measurements from now on; null stops it. */
	measure: ((measurement: Measurement) => void) | null;
	readonly tracing: Tracing | null;
}

/** Imports the tracing library if a collector is set. */
export async function openObserver({ tracing }: Pick<Settings, "tracing">, log: Log): Promise<ThreadObserver> {
	return createObserver(tracing === null ? null : (await import("./tracing.ts")).startTracing(tracing, log));
}

export function createObserver(tracing: Tracing | null): ThreadObserver {
	/** The leases of attempts that have failed. */
	const failed = new Set<string>();

	/** Runs the work in a span if traces are on, and measures it if metrics are. */
	async function timed<Result>(kind: Timed, name: string, work: () => Promise<Result>, hasFailed = () => false): Promise<Result> {
		const begin = performance.now();
		let isFailed = true;
		try {
			const result = await work();
			isFailed = hasFailed();
			return result;
		} finally {
			observer.measure?.({ kind, name, seconds: (performance.now() - begin) / 1_000, isFailed });
		}
	}

	const observer: ThreadObserver = {
		measure: null,
		tracing,
		observe: (kind, name, work) => {
			const measured = observer.measure === null ? work : () => timed(kind, name, work);
			return tracing === null ? measured() : tracing.span(`${kind} ${name}`, {}, measured);
		},
		runJob: (job, work) => {
			const isFailed = () => failed.delete(job.lease);
			// A failed job that could not be put back either has been measured as failed, and nobody asks for it again.
			const measured = observer.measure === null ? work : () => timed("job", job.task, work, isFailed).finally(isFailed);
			const details = detailsOf(job);
			if (tracing === null) return runInContext({ details, route: null, trace: null }, measured);
			return tracing.jobSpan(job, details, measured);
		},
		traceparent: () => tracing?.traceparent() ?? null,
		jobFailed: ({ task, lease }, code) => {
			tracing?.fail(code);
			if (observer.measure === null) return;
			failed.add(lease);
			observer.measure({ kind: "failure", task, code });
		},
	};
	return observer;
}

type Timed = Extract<Measurement, { readonly name: string }>["kind"];

function detailsOf({ id, task, subject }: Job): Readonly<Record<string, string>> {
	return { ...currentContext()?.details, job: id, ...(task === "ingest" && { document: subject }) };
}

/** A step that never stops, and keeps what was remarked. */

import type { Place, Progress, Remark, Step } from "cairn-memory";

export interface WatchedStep extends Step {
	readonly remarks: readonly Remark[];
	readonly reports: readonly Progress[];
}

export function createStep(signal: AbortSignal = new AbortController().signal): WatchedStep {
	const remarks: Remark[] = [];
	const reports: Progress[] = [];
	return {
		signal,
		log: () => undefined,
		remark: (code: string, message: string, place?: Place) => void remarks.push({ code, message, ...(place !== undefined && { place }) }),
		progress: (progress) => void reports.push(progress),
		remarks,
		reports,
	};
}

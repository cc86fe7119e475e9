/** A step that never stops, and keeps what was warned of. */

import type { Place, Progress, Step, Warning } from "cairn-memory";

export interface WatchedStep extends Step {
	readonly warnings: readonly Warning[];
	readonly reports: readonly Progress[];
}

export function createStep(signal: AbortSignal = new AbortController().signal): WatchedStep {
	const warnings: Warning[] = [];
	const reports: Progress[] = [];
	return {
		signal,
		log: () => undefined,
		warn: (code: string, message: string, place?: Place) => void warnings.push({ code, message, ...(place !== undefined && { place }) }),
		progress: (progress) => void reports.push(progress),
		warnings,
		reports,
	};
}

/** A `Step` for one run of the pipeline: it collects warnings and passes progress on, not too often. */

import type { Progress } from "../model/document.ts";
import type { Warning } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";

export interface RecordedStep extends Step {
	readonly warnings: () => readonly Warning[];
}

/** A person who watches a bar sees no more than this. */
const progressEveryMs = 250;

export function createStep(world: World, signal: AbortSignal, showProgress: (progress: Progress) => void = () => undefined): RecordedStep {
	const warnings: Warning[] = [];
	let shownAt = Number.NEGATIVE_INFINITY;
	return {
		signal,
		log: world.log,
		warn: (code, message, place) => {
			if (warnings.length < limits.warningsMax) warnings.push(place === undefined ? { code, message } : { code, message, place });
		},
		progress: (progress) => {
			const now = world.elapsedMs();
			if (now - shownAt < progressEveryMs && progress.done < progress.total) return;
			shownAt = now;
			showProgress(progress);
		},
		warnings: () => warnings,
	};
}

/** A `Step` for one run of the pipeline: it collects remarks and passes progress on, not too often. */

import type { Progress } from "../model/document.ts";
import type { Remark } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";

export interface RecordedStep extends Step {
	readonly remarks: () => readonly Remark[];
}

/** A person who watches a bar sees no more than this. */
const progressEveryMs = 250;

export function createStep(world: World, signal: AbortSignal, showProgress: (progress: Progress) => void = () => undefined): RecordedStep {
	const remarks: Remark[] = [];
	let shownAt = Number.NEGATIVE_INFINITY;
	return {
		signal,
		log: world.log,
		remark: (code, message, place) => {
			if (remarks.length < limits.remarksMax) remarks.push(place === undefined ? { code, message } : { code, message, place });
		},
		progress: (progress) => {
			const now = world.elapsedMs();
			if (now - shownAt < progressEveryMs && progress.done < progress.total) return;
			shownAt = now;
			showProgress(progress);
		},
		remarks: () => remarks,
	};
}

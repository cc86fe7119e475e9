/**
 * Decides how many documents are processed concurrently: as many as finished within the last second, but at least a small number that
 * always fits into memory. A short note mostly waits for the disk, so many notes can be processed concurrently. If documents take long, for
 * example with a slow model, many concurrent ones would only wait for each other until they time out.
 */

import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";

export interface Pace {
	/** Called when a document has ended. */
	readonly documentEnded: () => void;
	readonly concurrentMax: () => number;
}

const windowMs = 1_000;

export function createPace(concurrentLimit: number, { elapsedMs }: Pick<World, "elapsedMs">): Pace {
	const concurrentMin = Math.min(concurrentLimit, limits.concurrentHeavyDocumentsMax);
	/** When the last documents ended, in ascending order; at most `concurrentLimit` times. */
	const endTimes: number[] = [];
	return {
		documentEnded() {
			endTimes.push(elapsedMs());
			if (endTimes.length > concurrentLimit) endTimes.shift();
		},
		concurrentMax() {
			const windowStart = elapsedMs() - windowMs;
			while (endTimes[0] !== undefined && endTimes[0] < windowStart) endTimes.shift();
			return Math.max(concurrentMin, endTimes.length);
		},
	};
}

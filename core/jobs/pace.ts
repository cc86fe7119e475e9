/**
 * How many documents are processed at once: as many as finish within a second, and never fewer than a small number that fits
 * into memory whatever they are. A note mostly waits for the disk, so many at once cost nothing. Where documents take long, at
 * a slow model for example, many at once would only wait for each other until they time out.
 */

import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";

export interface Pace {
	/** A document is over. */
	readonly ended: () => void;
	readonly atOnce: () => number;
}

const spanMs = 1_000;

export function createPace(atOnceMax: number, { elapsedMs }: Pick<World, "elapsedMs">): Pace {
	const least = Math.min(atOnceMax, limits.concurrentHeavyDocumentsMax);
	/** When the last ones ended, the latest last; no more than matter. */
	const ends: number[] = [];
	return {
		ended() {
			ends.push(elapsedMs());
			if (ends.length > atOnceMax) ends.shift();
		},
		atOnce() {
			const since = elapsedMs() - spanMs;
			while (ends[0] !== undefined && ends[0] < since) ends.shift();
			return Math.max(least, ends.length);
		},
	};
}

/**
 * How many documents are worked on at once. One note waits for the disk most of its time, so that many beside it cost
 * nothing; where documents take long, at a slow model perhaps, many at once would only wait for each other until their
 * time is up. So it is as many as end within a second, and never fewer than take little memory whatever they are.
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
	const least = Math.min(atOnceMax, limits.heavyDocumentsAtOnce);
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

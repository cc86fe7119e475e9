/**
 * Reads new texts into the word indexes before a search asks for them. While documents are ingested, a search would otherwise first read
 * what came since the one before: a thousand notes take a tenth of a second.
 */

export interface ReadAhead {
	/** A search was asked: from now on texts are read ahead, for a while soon after they come. */
	readonly searched: () => void;
	readonly stop: () => void;
}

export interface Readable {
	/** A number that changes with every commit. */
	readonly version: () => number;
	/** Reads everything that is new. */
	readonly read: () => Promise<void>;
}

/** Where nobody has searched for this long, texts are read in larger parts. Reading a note takes a twentieth of the processor time of ingesting it. */
const afterSearchMs = 60_000;
/** How often it looks for commits: after one, when none come, and when nobody searches. A look takes 20 µs. */
const lookMs = { least: 10, most: 320, unasked: 2_000 };

/** @param now milliseconds that only grow. @param unaskedMs how often it looks when nobody searches */
export function createReadAhead({ version, read }: Readable, now = () => performance.now(), unaskedMs: number = lookMs.unasked): ReadAhead {
	let timer: ReturnType<typeof setTimeout> | null = null;
	let isStopped = false;
	let isLooking = false;
	let searchedAt = 0;
	let waitMs = lookMs.least;
	let seen = -1;

	async function look(): Promise<void> {
		isLooking = true;
		try {
			const current = version();
			waitMs = current === seen ? Math.min(waitMs * 2, lookMs.most) : lookMs.least;
			if (current !== seen) await read();
			seen = current;
		} catch {
			// The next search gets the error, and reads by itself.
			waitMs = lookMs.most;
		} finally {
			isLooking = false;
		}
		if (now() - searchedAt >= afterSearchMs) waitMs = unaskedMs;
		schedule();
	}

	function schedule(): void {
		if (isStopped || isLooking) return;
		if (timer !== null) clearTimeout(timer);
		timer = setTimeout(() => {
			timer = null;
			void look();
		}, waitMs);
	}

	return {
		searched() {
			searchedAt = now();
			// Where texts come, the next look is soon anyway; it is not put off by searches.
			if (timer !== null && waitMs === lookMs.least) return;
			waitMs = lookMs.least;
			schedule();
		},
		stop() {
			isStopped = true;
			if (timer !== null) clearTimeout(timer);
		},
	};
}

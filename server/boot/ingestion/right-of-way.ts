/**
 * Searches come before ingestion: while one is under way, the ingest thread stops wherever its computations may pause. A search takes
 * milliseconds on two threads, and on two cores it would share them with the one that ingests.
 */

/** The part of `Atomics` with which a thread waits for another one. */
export type Wait = (cell: Int32Array<SharedArrayBuffer>, index: number, value: number, timeoutMs: number) => unknown;

/** How long the ingest thread waits at most for a search, and then does not wait: one may wait for a language model. */
const waitMsMax = 20;

/** A search that takes longer waits for a language model or a service, and needs no core; one whose plugin never answers would be counted for good. */
const countedMsMax = 250;

/** How many searches are under way. Threads share it; it begins with zero. */
export type Searches = Int32Array<SharedArrayBuffer>;

export function createSearches(): Searches {
	return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Runs a search, and lets the ingest thread wait for its first `countedMs` milliseconds. */
export async function search<Result>(searches: Searches, run: () => Promise<Result>, countedMs = countedMsMax): Promise<Result> {
	let isCounted = true;
	const end = () => {
		if (isCounted && Atomics.sub(searches, 0, 1) === 1) Atomics.notify(searches, 0);
		isCounted = false;
	};
	Atomics.add(searches, 0, 1);
	const timer = setTimeout(end, countedMs);
	try {
		return await run();
	} finally {
		clearTimeout(timer);
		end();
	}
}

/**
 * @returns a function for the ingest thread to call now and then: it blocks the thread while searches are under way, but for no more than
 * half of its time, so that ingestion goes on however much is searched. It takes nanoseconds if there are none.
 */
export function createGiveWay(searches: Searches, now = () => performance.now(), wait: Wait = Atomics.wait): () => void {
	let freeUntil = Number.NEGATIVE_INFINITY;
	return () => {
		if (Atomics.load(searches, 0) === 0) return;
		const began = now();
		if (began < freeUntil) return;
		let waited = 0;
		for (let count = Atomics.load(searches, 0); count > 0 && waited < waitMsMax; count = Atomics.load(searches, 0)) {
			wait(searches, 0, count, waitMsMax - waited);
			waited = now() - began;
		}
		freeUntil = began + 2 * waited;
	};
}

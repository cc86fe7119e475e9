/**
 * Lets the event loop turn between slices of long computations: heartbeats, requests, answers of the store. All computations of a thread
 * share one slice, because several slices one after another would block it just as one long computation does.
 */

/** Every runtime of this program has it: it runs something in the next turn of the event loop. It is no I/O, and nothing else of a platform is used. */
declare function setImmediate(run: () => void): unknown;

/** How long a thread computes without a turn: less than a client would notice, and much more than a turn costs. */
const sliceMs = 6;

/** When it was first asked in this turn of the event loop; null before that. */
let begunAt: number | null = null;
/** Computations that wait, the one that waits longest first. Each turn continues one of them. */
const waiting: (() => void)[] = [];
/** What `giveWay` does in this thread. */
let wait = (): void => undefined;

/** Sets what this thread does to give way, which may block it for some milliseconds. Without it, a thread gives way to nothing. */
export function giveWayBy(how: () => void): void {
	wait = how;
}

/** Lets other threads have the processor that come first. It is as cheap as `yieldIfDue`, which calls it too. */
export function giveWay(): void {
	wait();
}

/**
 * Returns a promise to wait for if the slice is used up, else null. It is cheap, and should be called every millisecond or two, as
 * `const pause = yieldIfDue(); if (pause !== null) await pause;`, which avoids needless awaits.
 */
export function yieldIfDue(): Promise<void> | null {
	giveWay();
	const now = performance.now();
	if (begunAt === null) {
		begunAt = now;
		setImmediate(beginTurn);
	}
	if (now - begunAt < sliceMs) return null;
	return new Promise((resolve) => waiting.push(resolve));
}

function beginTurn(): void {
	begunAt = null;
	const next = waiting.shift();
	if (next === undefined) return;
	// The others wait for the turns after this one, even if this computation ends without asking again.
	if (waiting.length > 0) {
		begunAt = performance.now();
		setImmediate(beginTurn);
	}
	next();
}

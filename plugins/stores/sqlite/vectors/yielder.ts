/** Lets the event loop run between slices of synchronous work, so that no search ever stalls the server. */

/** How long work may run in one piece. Well under what a client would notice, well over the cost of a pause. */
const sliceMs = 6;

export interface Yielder {
	/** Gives way when the slice is used up. Cheap to call: between any two steps that take under a few milliseconds. */
	readonly yieldIfDue: () => Promise<void> | null;
}

/** `const pause = breathe(); if (pause) await pause;` keeps the common case free of a needless await. */
export function createYielder(): Yielder {
	let started = performance.now();
	return {
		yieldIfDue() {
			if (performance.now() - started < sliceMs) return null;
			return new Promise((resolve) => {
				setImmediate(() => {
					started = performance.now();
					resolve();
				});
			});
		},
	};
}

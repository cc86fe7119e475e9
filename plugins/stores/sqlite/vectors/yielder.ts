/** Lets the event loop run between slices of synchronous work, so that no search blocks the server. */

/** How long work may run without a pause: less than a client would notice, and much more than a pause costs. */
const sliceMs = 6;

export interface Yielder {
	/** Returns a promise to wait for if the slice is used up, else null. It is cheap, and should be called every few milliseconds. */
	readonly yieldIfDue: () => Promise<void> | null;
}

/** Use it as `const pause = yielder.yieldIfDue(); if (pause) await pause;`, which avoids needless awaits. */
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

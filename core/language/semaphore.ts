/** A semaphore: runs a limited number of tasks at once; the others wait in order. An aborted task stops waiting. */

export type Semaphore = <Result>(signal: AbortSignal, run: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(concurrentMax: number): Semaphore {
	let free = concurrentMax;
	const waiting = new Set<() => void>();

	function wait(signal: AbortSignal): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const abort = () => {
			waiting.delete(start);
			reject(signal.reason);
		};
		const start = () => {
			signal.removeEventListener("abort", abort);
			resolve();
		};
		signal.addEventListener("abort", abort, { once: true });
		waiting.add(start);
		return promise;
	}

	/** Starts the task that has waited longest, or frees the slot. */
	function release(): void {
		const [next] = waiting;
		if (next === undefined) free++;
		else {
			waiting.delete(next);
			next();
		}
	}

	return async (signal, run) => {
		signal.throwIfAborted();
		if (free > 0) free--;
		else await wait(signal);
		try {
			return await run();
		} finally {
			release();
		}
	};
}

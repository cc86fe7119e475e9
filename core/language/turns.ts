/** Runs a limited number of tasks at once; the others wait in order. An aborted task gives up its place. */

export type Turns = <Result>(signal: AbortSignal, run: () => Promise<Result>) => Promise<Result>;

export function createTurns(atOnce: number): Turns {
	let free = atOnce;
	const waiting = new Set<() => void>();

	function wait(signal: AbortSignal): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const stop = () => {
			waiting.delete(enter);
			reject(signal.reason);
		};
		const enter = () => {
			signal.removeEventListener("abort", stop);
			resolve();
		};
		signal.addEventListener("abort", stop, { once: true });
		waiting.add(enter);
		return promise;
	}

	/** The place goes straight to the one that has waited longest. */
	function leave(): void {
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
			leave();
		}
	};
}

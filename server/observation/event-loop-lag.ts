/** Measures the event loop lag of a thread: for how long a computation keeps everything else in the thread waiting. */

const everyMs = 100;

export interface LagMeter {
	/** The longest delay in seconds since the last call. */
	readonly take: () => number;
}

/** The timer does not keep the process alive. */
export function startLagMeter(): LagMeter {
	let longestMs = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		longestMs = Math.max(longestMs, now - last - everyMs);
		last = now;
	}, everyMs);
	timer.unref();
	return {
		take: () => {
			// The current turn may be the longest.
			const longest = Math.max(longestMs, performance.now() - last - everyMs, 0);
			longestMs = 0;
			return longest / 1_000;
		},
	};
}

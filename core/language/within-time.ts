/** Waits a limited time for a response of the model. The model client stores a late response for the next identical request. */

/** @returns null if it takes longer; the call then continues, but its result is ignored here. */
export async function withinTime<Result>(waitMs: number, signal: AbortSignal, run: () => Promise<Result>): Promise<Result | null> {
	signal.throwIfAborted();
	const running = run();
	running.catch(() => undefined);
	const { promise: ended, resolve, reject } = Promise.withResolvers<null>();
	const timeout = AbortSignal.timeout(waitMs);
	const onTimeout = () => resolve(null);
	const onAbort = () => reject(signal.reason);
	timeout.addEventListener("abort", onTimeout, { once: true });
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		return await Promise.race([running, ended]);
	} finally {
		timeout.removeEventListener("abort", onTimeout);
		signal.removeEventListener("abort", onAbort);
	}
}

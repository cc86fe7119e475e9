/** An answer that a user waits for, but only briefly. A late answer is stored by the model client for the next request with the same question. */

/** @returns null when it is not there in time; the call then continues, and its result is ignored here. */
export async function soon<Result>(waitMs: number, signal: AbortSignal, run: () => Promise<Result>): Promise<Result | null> {
	signal.throwIfAborted();
	const asked = run();
	asked.catch(() => undefined);
	const { promise: gaveUp, resolve, reject } = Promise.withResolvers<null>();
	const late = AbortSignal.timeout(waitMs);
	const onLate = () => resolve(null);
	const onGone = () => reject(signal.reason);
	late.addEventListener("abort", onLate, { once: true });
	signal.addEventListener("abort", onGone, { once: true });
	try {
		return await Promise.race([asked, gaveUp]);
	} finally {
		late.removeEventListener("abort", onLate);
		signal.removeEventListener("abort", onGone);
	}
}

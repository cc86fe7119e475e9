/** An answer for which somebody waits, but not long. What comes later is kept by the client of the model, for whoever asks the same again. */

/** @returns null when it is not there in time: then it goes on, and how it ends is nobody's concern. */
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

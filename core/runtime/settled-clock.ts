/**
 * The time by which something is deleted for good. A clock that was set forward is believed only after an hour, because somebody may have
 * mistyped it, or a time server may put it right: what was deleted meanwhile would not come back.
 */

import type { World } from "../ports/world.ts";

/** Clocks are corrected by seconds all the time. */
const toleranceMs = 5 * 60_000;
const believedAfterMs = 60 * 60_000;

export function createSettledClock({ now, steadyNow }: Pick<World, "now" | "steadyNow">): () => Date {
	/** How far `now` is ahead of `steadyNow` as far as it is believed. */
	let believedMs = 0;
	/** The last time that the clock was set, and to what. */
	let setAt = Number.NEGATIVE_INFINITY;
	let aheadMs = 0;
	return () => {
		const steadyMs = steadyNow().getTime();
		const currentMs = now().getTime() - steadyMs;
		if (Math.abs(currentMs - aheadMs) > toleranceMs) setAt = steadyMs;
		aheadMs = currentMs;
		if (aheadMs <= believedMs + toleranceMs || steadyMs - setAt >= believedAfterMs) believedMs = aheadMs;
		return new Date(steadyMs + believedMs);
	};
}

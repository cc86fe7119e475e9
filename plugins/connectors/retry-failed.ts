/** When what could not be read for a moment is tried again: within the sync after growing pauses, then in syncs of its own. */

import type { Step } from "cairn-memory";

/** A minute in all, since a sync that waits keeps one of a few places. */
export const retryPausesMs: readonly number[] = [5_000, 15_000, 45_000];
/** Longer than the attempts of one sync take where nothing asks for a pause: what has failed for that long is not waited for. */
export const failedLongMs = 10 * 60_000;
/** Most faults that outlive the pauses of a sync last for minutes. */
const nextSyncMs = 5 * 60_000;

/** The next sync for what has failed comes after five minutes, then each time after as long as the latest of it has failed. */
export function tryAgainLater(step: Step, failedForMs: number): void {
	step.tryAgain?.(Math.max(nextSyncMs, failedForMs));
}

/** How long to wait before a retry, and after a crash. */

import { limits } from "../model/limits.ts";

/**
 * Doubles with every try (1 → 2 s, 2 → 4 s, 3 → 8 s, 4 → 16 s …) up to five minutes; then a random half of it is taken
 * off, so that documents which failed together do not come back together.
 *
 * @param attempt counted from 1
 * @param chance from 0 up to 1
 */
export function retryDelayMs(attempt: number, chance: number): number {
	const full = Math.min(2 ** attempt * 1_000, limits.retryDelayMaxMs);
	return Math.round(full * (1 - chance / 2));
}

/**
 * How long a job for documents waits after its process has ended: nothing as long as it may be claimed beside others, then 5 s, 15 s, 45 s …
 * A server that is killed while it starts, or at its first document, would otherwise have the same one in hand each time, so that as many
 * kills in a row look as if the document were the cause.
 *
 * @param crashes so far; with the last one it is given up, and nothing is left to wait for
 */
export function crashPauseMs(crashes: number): number {
	const alone = crashes - limits.crashesBesideOthersMax;
	if (alone < 0 || crashes >= limits.crashesMax) return 0;
	return Math.min(limits.crashPauseMs * 3 ** alone, limits.retryDelayMaxMs);
}

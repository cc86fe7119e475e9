/** How long to wait before a retry. */

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

/** Whether the writer can write, and what damage was found by any thread. */

import { fail } from "cairn-memory";
import type { Executor } from "../../sql/executor.ts";
import { repeatable } from "../../sql/executor.ts";

/** So long a write that got through is believed, while none has failed since. */
const believedMs = 15_000;

export interface WriterHealth {
	/** What was found damaged first; it stays so until the next start. */
	damage: string | null;
	/** When a write last got through to the disk; null once one has failed since. */
	wroteAt: number | null;
}

export function healthOperations({ statement }: Executor, health: WriterHealth) {
	return {
		/** Tells that writes get through: it writes, since an empty commit would succeed on a full disk as well. */
		ping: repeatable((_nothing: null): void => {
			if (health.damage !== null) throw fail("STORAGE_DAMAGED", health.damage);
			const now = performance.now();
			if (health.wroteAt === null || now - health.wroteAt > believedMs) statement("UPDATE upkeep SET pinged_at = ? WHERE only = 1").run(Date.now());
		}),

		/** @returns whether nothing was known of any damage. */
		noteDamage: repeatable((what: string): boolean => {
			const isNew = health.damage === null;
			health.damage ??= what;
			return isNew;
		}),
	};
}

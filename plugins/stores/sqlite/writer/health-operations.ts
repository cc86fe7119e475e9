/** Whether the writer can write, and what damage any thread has found. */

import { fail } from "cairn-memory";
import { type Executor, repeatable } from "../../sql/executor.ts";

/** How long after a successful write no new one is tried, unless one has failed since. */
const trustedMs = 15_000;

export interface WriterHealth {
	/** The first damage that was found. It stays until the next start. */
	damage: string | null;
	/** When a write last reached the disk; null if one has failed since. */
	wroteAt: number | null;
}

export function healthOperations({ statement }: Executor, health: WriterHealth) {
	return {
		/** Checks that writes reach the disk. It writes a value, because an empty commit would succeed on a full disk too. */
		ping: repeatable((_nothing: null): void => {
			if (health.damage !== null) throw fail("STORAGE_DAMAGED", health.damage);
			const now = performance.now();
			if (health.wroteAt === null || now - health.wroteAt > trustedMs) statement("UPDATE upkeep SET pinged_at = ? WHERE only = 1").run(Date.now());
		}),

		/** @returns whether this is the first damage. */
		noteDamage: repeatable((what: string): boolean => {
			const isNew = health.damage === null;
			health.damage ??= what;
			return isNew;
		}),
	};
}

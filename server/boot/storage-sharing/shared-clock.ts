/**
 * Sets the steady clock of this thread by the clock of the database, where several programs share one: when a lease expires must not
 * depend on the clock of the machine that asks. The answer is as exact as half of the time it took.
 */

import type { StoragePlugin } from "../../../core/ports/storage.ts";
import type { ServerWorld } from "../world.ts";

type Shared = Pick<StoragePlugin, "now">;

/** Clocks of machines drift by a few milliseconds in this time. A machine that was suspended is set right as soon. */
const setEveryMs = 10_000;

/** Rejects if the database does not answer. */
export async function setSharedClock({ now }: Shared, world: ServerWorld): Promise<void> {
	if (now === undefined) return;
	const askedAt = world.elapsedMs();
	const databaseNow = await now();
	world.setSteadyNow(new Date(databaseNow.getTime() + (world.elapsedMs() - askedAt) / 2));
}

/** Runs until the signal is aborted. While the database does not answer, the clock goes on as it is. */
export async function followSharedClock(storage: Shared, world: ServerWorld, signal: AbortSignal): Promise<void> {
	if (storage.now === undefined) return;
	while (!signal.aborted) {
		await world.sleep(setEveryMs, signal);
		if (!signal.aborted) await setSharedClock(storage, world).catch(() => undefined);
	}
}

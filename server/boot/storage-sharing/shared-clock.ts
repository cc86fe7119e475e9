/**
 * Sets the steady clock of this thread by the clock of the database, where several programs share one: when a lease expires must not
 * depend on the clock of the machine that asks. The answer is as exact as half of the time it took.
 */

import type { StoragePlugin } from "../../../core/ports/storage.ts";
import type { ServerWorld } from "../world.ts";

type Shared = Pick<StoragePlugin, "now">;

/** Clocks of machines drift by a few milliseconds in this time. A machine that was suspended is set right as soon. */
const setEveryMs = 10_000;

/** An answer that took no longer is exact enough. A thread that is starting may read one seconds late, and jobs would wait for as long. */
const tookMsMax = 50;
const asksMax = 3;

/** Asks again after a slow answer, and believes the quickest. Rejects if the database does not answer. */
export async function setSharedClock({ now }: Shared, world: Pick<ServerWorld, "elapsedMs" | "setSteadyNow">): Promise<void> {
	if (now === undefined) return;
	let quickestMs = Number.POSITIVE_INFINITY;
	for (let asks = 0; asks < asksMax && quickestMs > tookMsMax; asks++) {
		const askedAt = world.elapsedMs();
		const databaseNow = await now();
		const tookMs = world.elapsedMs() - askedAt;
		if (tookMs >= quickestMs) continue;
		quickestMs = tookMs;
		world.setSteadyNow(new Date(databaseNow.getTime() + tookMs / 2));
	}
}

/** Runs until the signal is aborted. While the database does not answer, the clock goes on as it is. */
export async function followSharedClock(storage: Shared, world: ServerWorld, signal: AbortSignal): Promise<void> {
	if (storage.now === undefined) return;
	while (!signal.aborted) {
		await world.sleep(setEveryMs, signal);
		if (!signal.aborted) await setSharedClock(storage, world).catch(() => undefined);
	}
}

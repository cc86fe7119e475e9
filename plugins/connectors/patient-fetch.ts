/** Fetches from a service that may be busy for a moment: short pauses are waited for in place, longer ones end the sync, which goes on after them. */

import { type Fetched, type FetchOptions, type Host, ServiceError } from "cairn-memory";

const triesMax = 4;
/** Where the service fails and names no time: most such failures pass at once, or not soon. */
const untimedTriesMax = 2;
/** A sync that waits keeps one of a few places, and whoever makes a connection waits for its check. */
const pauseMaxMs = 10_000;
const untimedPauseMs = 1_000;

/** @throws ServiceError, with `retryAfterMs` where the service has asked for a longer pause */
export function patientFetch(address: string, options: FetchOptions, { fetch, world }: Pick<Host, "fetch" | "world">): Promise<Fetched> {
	return patiently(() => fetch(address, options), options.signal, world);
}

/** The same for a service that says in its answers how long to wait. @param ask throws ServiceError */
export async function patiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal, world: Host["world"]): Promise<Answer> {
	for (let tries = 1; ; tries++) {
		try {
			return await ask();
		} catch (thrown) {
			signal.throwIfAborted();
			if (!(thrown instanceof ServiceError) || !thrown.mayPass) throw thrown;
			if (thrown.earliestRetryMs > pauseMaxMs) throw thrown.after(thrown.earliestRetryMs);
			const isTimed = thrown.earliestRetryMs > 0;
			if (tries >= (isTimed ? triesMax : untimedTriesMax)) throw thrown;
			await world.sleep(isTimed ? thrown.earliestRetryMs : untimedPauseMs, signal);
			signal.throwIfAborted();
		}
	}
}

/** Lets other work of the thread run between slices of long computations: heartbeats, other documents, answers of the store. */

import type { World } from "../ports/world.ts";

/** How long work may run without a pause. A pause takes a millisecond or two. */
const sliceMs = 12;

/** Returns a promise to wait for if the slice is used up, else null. It is cheap, and should be called every millisecond. */
export type Pauses = (signal: AbortSignal) => Promise<void> | null;

/** Use it as `const pause = pauseIfDue(signal); if (pause !== null) await pause;`, which avoids needless awaits. */
export function createPauses({ elapsedMs, sleep }: Pick<World, "elapsedMs" | "sleep">): Pauses {
	let resumedAt = elapsedMs();
	return (signal) => {
		if (elapsedMs() - resumedAt < sliceMs) return null;
		return sleep(1, signal).then(() => {
			resumedAt = elapsedMs();
		});
	};
}

/** How long two versions take to be ready, and what each holds when nothing happens. */

import { startServer } from "../server.ts";
import { median } from "../times.ts";

const starts = 7;
/** What starting leaves behind is gone by then. */
const idleMs = 5_000;

export interface Start {
	/** Median of the starts, in milliseconds. */
	readonly readyMs: number;
	/** Resident memory after the last of them, in megabytes. */
	readonly residentMb: number;
}

/** Starts the versions in turn, each on its own folder. The first start of each does not count: it migrates a folder of an older version. */
export async function startsOf(checkouts: readonly string[], folders: readonly string[]): Promise<readonly Start[]> {
	const took = checkouts.map((): number[] => []);
	const resident: number[] = [];
	for (let round = 0; round <= starts; round++) {
		for (const [at, checkout] of checkouts.entries()) {
			const server = await startServer(folders[at] ?? "", [], {}, checkout);
			if (round > 0) took[at]?.push(server.startedMs);
			if (round === starts) {
				await Bun.sleep(idleMs);
				resident[at] = (await server.loop()).residentMb;
			}
			await server.stop();
		}
	}
	return took.map((ready, at) => ({ readyMs: median(ready), residentMb: resident[at] ?? Number.NaN }));
}

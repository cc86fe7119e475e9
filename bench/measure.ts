/** What every measure is: given the notes that were ingested once for all of them, it finds out some rows of the table. */

import type { Library } from "./library.ts";
import type { LoopReport } from "./loop-watch.ts";
import { judged, type Row } from "./row.ts";
import { shown } from "./times.ts";

export interface Bench {
	/** Made when first asked for. */
	readonly library: () => Promise<Library>;
}

export type Measure = (bench: Bench) => Promise<readonly Row[]>;

const blockMsMax = 20;

/** Judged by what the server's thread computed without a pause; that it also waited for a core is told beside it. */
export function loopRow(during: string, { computedMs, awayMs, awayP99Ms }: LoopReport): Row {
	const value = `${shown(computedMs)} at most (away ${shown(awayMs)}, p99 ${shown(awayP99Ms)})`;
	return judged(`server thread computing without a pause, ${during}`, value, `≤ ${blockMsMax} ms`, computedMs <= blockMsMax);
}

/** What all vector partitions of one storage share. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { openScanner } from "../connection.ts";
import { openReads } from "../threads/reads.ts";
import { KeyLister } from "./key-lister.ts";
import { dataVersion } from "./vector-tables.ts";

export interface VectorLimits {
	/** A restricted scope with at most this many vectors is always scanned exactly. 50,000 vectors take a millisecond or two. */
	readonly exactMax: number;
	/** Up to this many vectors no index is built: all are read from the tables at the first search. */
	readonly wholeMax: number;
	/** A new index is built when more vectors than this number, and than this share, are not in the old one: every search has to scan them. */
	readonly tailMin: number;
	readonly tailShare: number;
	/** Memory of all matrices. Beyond it the least recently used ones are dropped, and read again when they are needed. One is always kept. */
	readonly matrixBytesMax: number;
}

export const defaultLimits: VectorLimits = { exactMax: 50_000, wholeMax: 20_000, tailMin: 10_000, tailShare: 0.2, matrixBytesMax: 2 ** 30 };

export interface VectorsContext {
	/** The path of the database. */
	readonly file: string;
	/** The folder with the index files. */
	readonly folder: string;
	readonly limits: VectorLimits;
	readonly log: Log;
	/** Whether this thread builds and removes index files. Only one thread does; the others only read them. */
	readonly canBuild: boolean;
	/** A connection of its own, because `epoch` notices the commits of other connections only. */
	readonly db: () => Connection;
	/** A connection for maintenance. */
	readonly scans: () => Connection;
	readonly lister: KeyLister;
	/** The state of the database: a number that grows with every commit. What was read in an epoch is valid as long as it lasts. */
	readonly epoch: () => number;
	readonly close: () => void;
}

export interface VectorsOptions extends Pick<VectorsContext, "file" | "log" | "canBuild"> {
	/** Index files go into its `indexes` folder. */
	readonly folder: string;
	readonly limits?: Partial<VectorLimits>;
}

export function createContext(options: VectorsOptions): VectorsContext {
	const folder = join(options.folder, "indexes");
	mkdirSync(folder, { recursive: true });
	const lister = new KeyLister(options.file);
	const reads = openReads(options.file);
	const scans = openReads(options.file, openScanner);
	let version = -1;
	let epoch = 0;
	return {
		...options,
		folder,
		limits: { ...defaultLimits, ...options.limits },
		lister,
		db: reads.connection,
		scans: scans.connection,
		epoch() {
			const now = dataVersion(reads);
			if (now !== version) epoch += 1;
			version = now;
			return epoch;
		},
		close() {
			lister.close();
			scans.close();
			reads.close();
		},
	};
}

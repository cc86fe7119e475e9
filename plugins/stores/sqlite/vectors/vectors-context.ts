/** What all partitions of one storage share. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { openReader, openScanner } from "../connection.ts";
import { openReads } from "../threads/reads.ts";
import { KeyLister } from "./key-lister.ts";
import { dataVersion } from "./vector-tables.ts";

export interface VectorLimits {
	/** A restricted scope with at most this many vectors is always scanned exactly. 50,000 take a millisecond or two. */
	readonly exactMax: number;
	/** Up to here no index is built: all vectors are read from the tables when they are first searched. */
	readonly wholeMax: number;
	/** From here on the graph is searched. Fewer are scanned: at 100,000 that takes about as long, and misses less. */
	readonly graphMin: number;
	/** A new index is built when so many vectors, and this share, are not covered by the old one: they are scanned with every search. */
	readonly tailMin: number;
	readonly tailShare: number;
	/** What all matrices together may take; then the one that was not used longest is dropped, and read again when needed. One is always kept. */
	readonly matrixBytesMax: number;
}

export const defaultLimits: VectorLimits = { exactMax: 50_000, wholeMax: 20_000, graphMin: 150_000, tailMin: 10_000, tailShare: 0.2, matrixBytesMax: 2 ** 30 };

export interface VectorsContext {
	/** The database's file. */
	readonly file: string;
	/** Where index files are. */
	readonly folder: string;
	readonly limits: VectorLimits;
	readonly log: Log;
	/** Only one thread of a program builds index files and removes them; the others merely read them. */
	readonly canBuild: boolean;
	/** A connection of our own: `epoch` sees what others commit, never what its own connection does. */
	readonly db: () => Connection;
	/** For upkeep. */
	readonly scans: () => Connection;
	readonly lister: KeyLister;
	/** Ascends with every commit. What was read at one epoch holds as long as it lasts. */
	readonly epoch: () => number;
	readonly close: () => void;
}

export interface ContextOptions {
	readonly file: string;
	readonly folder: string;
	readonly limits: VectorLimits;
	readonly log: Log;
	readonly canBuild: boolean;
}

export function createContext(options: ContextOptions): VectorsContext {
	const folder = join(options.folder, "indexes");
	mkdirSync(folder, { recursive: true });
	const lister = new KeyLister(options.file);
	const scans = openReads(options.file, openScanner);
	let db: Connection | null = null;
	let isClosed = false;
	let version = -1;
	let epoch = 0;
	const open = (): Connection => {
		if (isClosed) throw new Error("the vector index is closed");
		db ??= openReader(options.file);
		return db;
	};
	return {
		...options,
		folder,
		lister,
		db: open,
		scans: scans.connection,
		epoch() {
			const now = dataVersion(open());
			if (now !== version) epoch += 1;
			version = now;
			return epoch;
		},
		close() {
			isClosed = true;
			lister.close();
			scans.close();
			db?.close();
			db = null;
		},
	};
}

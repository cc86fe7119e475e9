/** The last room on a disk is kept for deletions, which need some before they make any: a database writes every changed page to its log first. */

/** Twice what the log of SQLite has before it is copied into the database, and what a group of deletions adds to it meanwhile. */
const reserveBytes = 16 * 2 ** 20;

/** What `statfs` says of a disk, in blocks of `bsize` bytes. */
export interface DiskBlocks {
	readonly bsize: number;
	readonly blocks: number;
	readonly bfree: number;
	/** Of the free ones those that are not kept for root. */
	readonly bavail: number;
}

/** Whether only the reserve is left. */
export function isDiskShort({ bsize, blocks, bfree, bavail }: DiskBlocks, isRoot: boolean): boolean {
	// Some file systems report nothing.
	return blocks > 0 && (isRoot ? bfree : bavail) * bsize < reserveBytes;
}

/**
 * Removes the traces of documents that were deleted for good: in other tables, in the write-ahead log, which has older versions of pages,
 * and between the rows of pages. The rows themselves are overwritten by `secure_delete`.
 */

import { statSync } from "node:fs";
import type { TextEraser } from "../../sql/erase-deleted.ts";

/** How often emptying the log is tried: a reader may prevent it. */
const emptyTries = 20;
const emptyPauseMs = 50;

export interface ErasureParts {
	/** The path of the database. */
	readonly file: string;
	readonly eraseDeleted: TextEraser;
	/** @returns whether the log is empty now. */
	readonly emptyLog: () => Promise<boolean>;
	/** @returns whether nothing is left between the rows. */
	readonly clearGaps: (signal: AbortSignal) => Promise<boolean>;
}

/** Returns a function for every run of the maintenance. */
export function createTraceEraser({ file, eraseDeleted, emptyLog, clearGaps }: ErasureParts): (...upkeep: Parameters<TextEraser>) => Promise<void> {
	let mayHaveGaps = false;

	/** @returns whether it is empty now. It is not while a reader needs it, or chunks of deleted documents are still to be deleted. */
	async function emptyLogNow(signal: AbortSignal): Promise<boolean> {
		for (let i = 0; i < emptyTries && !signal.aborted; i++) {
			if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0 || (await emptyLog())) return true;
			await new Promise((resolve) => setTimeout(resolve, emptyPauseMs));
		}
		return false;
	}

	return async (upkeep) => {
		const isNew = await eraseDeleted(upkeep);
		const isEmpty = await emptyLogNow(upkeep.signal);
		mayHaveGaps ||= isNew;
		if (mayHaveGaps) mayHaveGaps = !(await clearGaps(upkeep.signal)) || !isEmpty;
	};
}

/** Defaults that depend on the machine. */

import { totalmem } from "node:os";
import { limits } from "../../core/model/limits.ts";

/** The memory available to this process; a container may have less than the machine. */
export function memoryBytes(): number {
	const constrained = process.constrainedMemory();
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** So many documents in progress keep one core busy, since most of them wait for the disk. */
const documentsPerCore = 128;
/** The memory of a document with 16,000 characters, its chunks and vectors. */
const bytesPerDocument = 512 * 1_024;
/** The share of the memory that all documents in progress may use. */
const memoryShare = 1 / 30;

export function documentsAtOnce(cores: number, bytes: number): number {
	const max = Math.min(limits.concurrentDocumentsMax, cores * documentsPerCore, Math.floor((bytes * memoryShare) / bytesPerDocument));
	return Math.max(limits.concurrentHeavyDocumentsMax, max);
}

/** Defaults that depend on the machine. */

import { totalmem } from "node:os";
import { limits } from "../../core/model/limits.ts";

/** The memory available to this process; a container may have less than the machine. */
export function memoryBytes(): number {
	const constrained = process.constrainedMemory();
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** So many documents that wait for the disk keep one core busy. */
const perCore = 128;
/** 16,000 characters with their chunks and vectors. */
const lightBytes = 512 * 1_024;
const memoryShare = 1 / 30;

export function documentsAtOnce(cores: number, bytes: number): number {
	const most = Math.min(limits.concurrentDocumentsMax, cores * perCore, Math.floor((bytes * memoryShare) / lightBytes));
	return Math.max(limits.concurrentHeavyDocumentsMax, most);
}

/** Checks that a new thread can open files. Without file handles for the thread's code, Bun would crash or hang. */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Three handles are needed; others may be taken by connections in the meantime. */
const handlesMin = 8;

/** @throws the system's `EMFILE` or `ENFILE` if too few file handles are left. */
export function requireFileHandles(): void {
	const open: number[] = [];
	try {
		for (let i = 0; i < handlesMin; i++) open.push(openSync(devNull, "r"));
	} finally {
		for (const file of open) closeSync(file);
	}
}

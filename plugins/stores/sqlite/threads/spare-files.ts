/** Files for a thread that begins: Bun ends the program, or never answers, when a new thread can open none for its code. */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Three are needed; connections may come in the meantime. */
const spare = 8;

/** @throws the system's `EMFILE` or `ENFILE` */
export function demandSpareFiles(): void {
	const open: number[] = [];
	try {
		for (let i = 0; i < spare; i++) open.push(openSync(devNull, "r"));
	} finally {
		for (const file of open) closeSync(file);
	}
}

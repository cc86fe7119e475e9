/** Bytes of the made-up format → its lines. What it throws counts as an error of the program only when both have the same module. */

import { fail } from "cairn-memory";

export default function readAcme(bytes: Uint8Array): readonly string[] {
	const lines = new TextDecoder().decode(bytes).split("\n").slice(1);
	if (lines.length === 0) throw fail("FILE_BROKEN", "there is no line after the first");
	return lines;
}

/**
 * Copied into a folder. Its import leaves a file of its process's number there; where there is a file `once`, only the first
 * import does, and every other ends its process.
 */

import { existsSync, writeFileSync } from "node:fs";
import type { Engine } from "cairn-memory";

const beside = (name: string) => new URL(name, import.meta.url);

if (existsSync(beside("once")) && existsSync(beside("taken"))) {
	writeFileSync(beside(`broken-${process.pid}`), "");
	process.exit(3);
}
writeFileSync(beside("taken"), "");
writeFileSync(beside(`imported-${process.pid}`), "");

const moody: Engine<null, { readonly pid: number }> = async () => ({ pid: process.pid });

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default moody;

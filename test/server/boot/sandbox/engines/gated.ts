/** An engine that reports once when it begins, and ends when the file it is given is there. */

import { existsSync } from "node:fs";
import type { Engine } from "cairn-memory";

const gated: Engine<string, number> = async (file, report) => {
	report({ done: 0, total: 1, unit: "call" });
	while (!existsSync(file)) await Bun.sleep(2);
	return process.pid;
};

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default gated;

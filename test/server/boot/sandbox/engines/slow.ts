/** An engine that takes as long as it is told to, and says who ran it. */

import type { Engine } from "cairn-memory";

const slow: Engine<number, number> = async (ms) => {
	await Bun.sleep(ms);
	return process.pid;
};

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default slow;

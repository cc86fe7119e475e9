/** An engine that computes for as long as it is told to, pauses left out, and reports once when it begins. */

import type { Engine } from "cairn-memory";

const busy: Engine<number, number> = async (ms, report) => {
	report({ done: 0, total: 1, unit: "call" });
	const { user, system } = process.cpuUsage();
	for (let spent = 0; spent < ms * 1_000; ) {
		const now = process.cpuUsage();
		spent = now.user - user + now.system - system;
	}
	return process.pid;
};

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default busy;

/** A well-behaved engine: gives back what it got, with its process id and how often it was called in this process. */

import type { Engine } from "cairn-memory";

let calls = 0;

export interface Echo {
	readonly input: unknown;
	readonly pid: number;
	readonly calls: number;
}

const echo: Engine<unknown, Echo> = async (input) => {
	calls += 1;
	return { input, pid: process.pid, calls };
};

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default echo;

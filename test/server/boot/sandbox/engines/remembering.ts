/** Counts its calls: whoever starts at one again is another process. */

import type { Engine } from "cairn-memory";

export type Wish = "count" | "die" | "complain" | "sleep";

let calls = 0;

const engine: Engine<Wish, { readonly calls: number; readonly pid: number }> = async (wish, report) => {
	calls++;
	report({ done: 0, total: 1, unit: "call" });
	if (wish === "die") process.kill(process.pid, "SIGKILL");
	if (wish === "complain") throw new Error("a fault");
	if (wish === "sleep") await Bun.sleep(300);
	return { calls, pid: process.pid };
};

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default engine;

/** An engine that misbehaves in whatever way it is told to. */

import { type Engine, fail } from "cairn-memory";

/** `(module (func (export "spin") (loop (br 0))))`, assembled by hand. */
const spinningModule = new Uint8Array([
	0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00, 0x07, 0x08, 0x01, 0x04, 0x73, 0x70, 0x69, 0x6e,
	0x00, 0x00, 0x0a, 0x09, 0x01, 0x07, 0x00, 0x03, 0x40, 0x0c, 0x00, 0x0b, 0x0b,
]);

const ways = {
	"spins in JavaScript": () => {
		for (;;);
	},
	"spins in WebAssembly": async () => {
		const { instance } = await WebAssembly.instantiate(spinningModule);
		(instance.exports["spin"] as () => void)();
	},
	"never answers": () => new Promise(() => {}),
	"eats memory": () => {
		const eaten: Uint8Array[] = [];
		for (;;) eaten.push(new Uint8Array(8 << 20).fill(1));
	},
	"answers a gigabyte": () => new Uint8Array(2 ** 30),
	"answers a long list of nothing": () => new Array(2 ** 31),
	"answers a function": () => () => 1,
	"throws an error of ours": () => {
		throw fail("EXTRACTOR_MISSING", "text/x-odd", "a, b").because(new Error("found inside"));
	},
	"throws an error of its own": () => {
		throw new TypeError("cannot read /home/someone/secret.pdf");
	},
	"throws later, where nobody listens": () => {
		setTimeout(() => {
			throw new Error("too late");
		}, 10);
		return new Promise(() => {});
	},
	exits: () => process.exit(0),
	"prints a secret": () => console.warn("the secret of another document"),
	"breaks a segment": () => {
		process.kill(process.pid, "SIGSEGV");
		return new Promise(() => {});
	},
	"prints without end": () => {
		for (let line = 0; line < 200_000; line += 1) console.warn("warning: something is odd here", line);
		return "printed";
	},
	"pretends to take call after call": () => {
		for (let pretended = 0; pretended < 50; pretended += 1) process.stderr.write(`\0${"pretended ".repeat(200)}`);
	},
	"reports without end": (report: (progress: { done: number; total: number; unit: string }) => void) => {
		for (let done = 0; done < 200_000; done += 1) report({ done, total: 200_000, unit: "page" });
		return "reported";
	},
	"leaves much behind": () => {
		Object.assign(globalThis, { leftBehind: new Uint8Array(160 << 20).fill(1) });
		return process.pid;
	},
} as const satisfies Record<string, (report: Parameters<Engine<unknown, unknown>>[1]) => unknown>;

export type Way = keyof typeof ways;

const unruly: Engine<Way, unknown> = async (way, report) => ways[way](report);

// biome-ignore lint/style/noDefaultExport: the sandbox takes an engine by its module's default export
export default unruly;

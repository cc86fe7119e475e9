/** Entry of a sandbox child process: imports engines once, runs one call at a time, and sends the result. */

import { writeFileSync } from "node:fs";
import type { Progress } from "../../../core/model/document.ts";
import type { Engine } from "../../../core/plugin/host.ts";
import { offerCairn } from "../import-module.ts";
import { closeEscapes } from "./close-escapes.ts";
import { measureBytes } from "./measure-bytes.ts";
import type { CallMessage, ChildMessage, ParentMessage, PrepareMessage } from "./messages.ts";
import { niceness, setNiceness } from "./niceness.ts";
import { sealSystemCalls } from "./seal-system-calls.ts";
import { describe, packThrown, type Thrown } from "./thrown.ts";
import { watchParent } from "./watch-parent.ts";

// It has done its work: what runs here needs nothing of the environment.
delete Bun.env["BUN_BE_BUN"];

/** A person reads ten lines a second at best; a PDF reports hundreds of pages. */
const progressEveryMs = 100;
/** How much of the output of engines is kept. */
const noiseCharactersMax = 4_096;
/** Above this much memory, garbage is collected before the child reports its idle memory. */
const tidyFromMb = 200;
/** Garbage is collected at this share of a call's memory limit, and again each time so much more is used. */
const tidyFromShare = 0.4;
const tidyStepShare = 0.1;
/** After being idle for this long, memory is released. */
const tidyWhenIdleMs = 200;

const engines = new Map<string, Engine<unknown, unknown>>();
let noiseLeft = noiseCharactersMax;
let idle: Timer | undefined;
/** Serialises calls and imports, so that a call is not charged for the import of another engine. */
let turn: Promise<void> = Promise.resolve();

secure();
process.on("disconnect", () => process.exit(0));
process.on("message", (message: ParentMessage) => {
	turn = turn.then(() => (message.kind === "call" ? answer(message) : prepare(message)));
});

function secure(): void {
	if (process.platform !== "linux") watchParent();
	setNiceness(process.pid, niceness.ordinary);
	sealSystemCalls();
	closeEscapes();
	volunteer();
	muffle();
}

async function answer(message: CallMessage): Promise<void> {
	const { call } = message;
	clearTimeout(idle);
	noiseLeft = noiseCharactersMax;
	const result = await attempt(message, reporter(call, message.bounds.memoryMb));
	try {
		send("output" in result ? { kind: "done", call, output: result.output, restMb: measureRest() } : { kind: "thrown", call, thrown: result.thrown });
	} catch (error) {
		// An output that cannot be cloned, a function say, is a fault of the engine.
		send({ kind: "thrown", call, thrown: { kind: "fault", cause: describe(error) } });
	}
	idle = setTimeout(() => Bun.gc(true), tidyWhenIdleMs);
}

async function prepare({ engine }: PrepareMessage): Promise<void> {
	if (typeof (await load(engine)) === "string") process.exit(1);
	send({ kind: "prepared", restMb: measureRest() });
}

type Result = { readonly output: unknown } | { readonly thrown: Thrown };

async function attempt({ call, engine: address, input, bounds, outputBytesMax }: CallMessage, report: (progress: Progress) => void): Promise<Result> {
	const engine = await load(address);
	if (typeof engine === "string") return { thrown: { kind: "engine", cause: engine } };
	send({ kind: "begun", call });
	try {
		const output = await engine(input, report, bounds);
		return measureBytes(output, outputBytesMax) > outputBytesMax ? { thrown: { kind: "output" } } : { output };
	} catch (error) {
		return { thrown: packThrown(error) };
	}
}

/** The engine, or why there is none. */
async function load(address: string): Promise<Engine<unknown, unknown> | string> {
	const known = engines.get(address);
	if (known !== undefined) return known;
	try {
		offerCairn();
		const module: { readonly default?: unknown } = await import(address);
		if (typeof module.default !== "function") return `${address} has no default export that is a function`;
		const engine = module.default as Engine<unknown, unknown>;
		engines.set(address, engine);
		return engine;
	} catch (error) {
		return describe(error);
	}
}

/** Throttles progress reports; the first is sent at once. */
function reporter(call: number, memoryMb: number): (progress: Progress) => void {
	let next = 0;
	let tidiedAtMb = memoryMb * tidyFromShare;
	return ({ done, total, unit }) => {
		const now = performance.now();
		if (now < next) return;
		next = now + progressEveryMs;
		send({ kind: "progress", call, progress: { done, total, unit } });
		if (process.memoryUsage.rss() / 2 ** 20 < tidiedAtMb) return;
		Bun.gc(true);
		tidiedAtMb = Math.max(memoryMb * tidyFromShare, process.memoryUsage.rss() / 2 ** 20 + memoryMb * tidyStepShare);
	};
}

function measureRest(): number {
	if (process.memoryUsage.rss() > tidyFromMb * 2 ** 20) Bun.gc(true);
	return process.memoryUsage.rss() / 2 ** 20;
}

/** Makes the kernel end this process, and not the server, when the machine runs out of memory. */
function volunteer(): void {
	if (process.platform !== "linux") return;
	try {
		writeFileSync("/proc/self/oom_score_adj", "1000");
	} catch {
		// A hardened kernel may refuse; then the poll of the parent is all there is.
	}
}

/** Redirects the output of engines to stderr, limited in length; the parent writes it to its debug log. */
function muffle(): void {
	const note = (...parts: readonly unknown[]): void => {
		if (noiseLeft <= 0) return;
		const line = parts.map(String).join(" ").slice(0, noiseLeft);
		noiseLeft -= line.length;
		process.stderr.write(`${line}\n`);
	};
	Object.assign(globalThis.console, { log: note, info: note, debug: note, warn: note, error: note, trace: note });
}

function send(message: ChildMessage): void {
	process.send?.(message);
}

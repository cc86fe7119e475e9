/** The entry point of a sandbox child process. It imports engines once, runs one call at a time, and sends the result. */

import { writeFileSync } from "node:fs";
import type { Progress } from "../../../core/model/document.ts";
import type { Engine } from "../../../core/plugin/host.ts";
import { resolveCairnPackage } from "../import-module.ts";
import { disableSystemApis } from "./disable-system-apis.ts";
import { measureBytes } from "./measure-bytes.ts";
import { type CallMessage, type ChildMessage, callMark, type ParentMessage, type PrepareMessage } from "./messages.ts";
import { niceness, setNiceness } from "./niceness.ts";
import { sealSystemCalls } from "./seal-system-calls.ts";
import { describe, packThrown, type Thrown } from "./thrown.ts";
import { watchParent } from "./watch-parent.ts";

// The variable made a single-file executable act as Bun. Engines must not inherit it.
delete Bun.env["BUN_BE_BUN"];

/** Minimum interval between progress messages: a PDF reports hundreds of pages, and nobody reads more than ten lines a second. */
const progressEveryMs = 100;
/** How much of an engine's console output is passed on for one call. */
const outputCharactersMax = 4_096;
/** If the child uses more memory than this, garbage is collected before it reports its idle memory. */
const collectFromMb = 200;
/** During a call, garbage is collected at this share of its memory limit, and again whenever memory has grown by the step below. */
const collectFromShare = 0.4;
const collectStepShare = 0.1;
/** After being idle for this long, memory is released. */
const collectWhenIdleMs = 200;

const engines = new Map<string, Engine<unknown, unknown>>();
let outputLeft = outputCharactersMax;
let idleTimer: Timer | undefined;
/** Calls and imports run one after the other, so that the time limit of a call does not include the import of another engine. */
let lastCall: Promise<void> = Promise.resolve();

lockDown();
process.on("disconnect", () => process.exit(0));
process.on("message", (message: ParentMessage) => {
	lastCall = lastCall.then(() => (message.kind === "call" ? handleCall(message) : prepare(message)));
});

function lockDown(): void {
	if (process.platform !== "linux") watchParent();
	setNiceness(process.pid, niceness.ordinary, process.ppid);
	sealSystemCalls();
	disableSystemApis();
	preferOomKill();
	redirectConsole();
}

async function handleCall(message: CallMessage): Promise<void> {
	const { call } = message;
	clearTimeout(idleTimer);
	outputLeft = outputCharactersMax;
	process.stderr.write(callMark);
	const result = await runEngine(message, createProgressReporter(call, message.bounds.memoryMb));
	try {
		send("output" in result ? { kind: "done", call, output: result.output, idleMb: measureIdleMb() } : { kind: "thrown", call, thrown: result.thrown });
	} catch (error) {
		// An output that cannot be cloned, such as a function, is a bug of the engine.
		send({ kind: "thrown", call, thrown: { kind: "fault", cause: describe(error) } });
	}
	idleTimer = setTimeout(() => Bun.gc(true), collectWhenIdleMs);
}

async function prepare({ engine }: PrepareMessage): Promise<void> {
	if (typeof (await load(engine)) === "string") process.exit(1);
	send({ kind: "prepared", idleMb: measureIdleMb() });
}

type Result = { readonly output: unknown } | { readonly thrown: Thrown };

async function runEngine({ call, engine: engineUrl, input, bounds, outputBytesMax }: CallMessage, report: (progress: Progress) => void): Promise<Result> {
	const engine = await load(engineUrl);
	if (typeof engine === "string") return { thrown: { kind: "engine-not-loaded", cause: engine } };
	send({ kind: "begun", call });
	try {
		const output = await engine(input, report, bounds);
		return measureBytes(output, outputBytesMax) > outputBytesMax ? { thrown: { kind: "output-too-large" } } : { output };
	} catch (error) {
		return { thrown: packThrown(error) };
	}
}

/** The engine, or the error of its import. */
async function load(engineUrl: string): Promise<Engine<unknown, unknown> | string> {
	const loaded = engines.get(engineUrl);
	if (loaded !== undefined) return loaded;
	try {
		resolveCairnPackage();
		const module: { readonly default?: unknown } = await import(engineUrl);
		if (typeof module.default !== "function") return `${engineUrl} has no default export that is a function`;
		const engine = module.default as Engine<unknown, unknown>;
		engines.set(engineUrl, engine);
		return engine;
	} catch (error) {
		return describe(error);
	}
}

/** Sends progress reports, but not too often; the first is sent at once. With a report it also collects garbage if the engine uses much memory. */
function createProgressReporter(call: number, memoryMb: number): (progress: Progress) => void {
	let nextReportAt = 0;
	let collectAtMb = memoryMb * collectFromShare;
	return ({ done, total, unit }) => {
		const now = performance.now();
		if (now < nextReportAt) return;
		nextReportAt = now + progressEveryMs;
		send({ kind: "progress", call, progress: { done, total, unit } });
		if (process.memoryUsage.rss() / 2 ** 20 < collectAtMb) return;
		Bun.gc(true);
		collectAtMb = Math.max(memoryMb * collectFromShare, process.memoryUsage.rss() / 2 ** 20 + memoryMb * collectStepShare);
	};
}

function measureIdleMb(): number {
	if (process.memoryUsage.rss() > collectFromMb * 2 ** 20) Bun.gc(true);
	return process.memoryUsage.rss() / 2 ** 20;
}

/** Makes the kernel kill this process, not the server, when the machine runs out of memory. */
function preferOomKill(): void {
	if (process.platform !== "linux") return;
	try {
		writeFileSync("/proc/self/oom_score_adj", "1000");
	} catch {
		// A hardened kernel may refuse; then only the parent's memory check protects the server.
	}
}

/** Redirects the console output of engines to stderr, limited in length; the parent writes it to its debug log. */
function redirectConsole(): void {
	const logLine = (...parts: readonly unknown[]): void => {
		if (outputLeft <= 0) return;
		const line = parts.map(String).join(" ").slice(0, outputLeft);
		outputLeft -= line.length;
		process.stderr.write(`${line}\n`);
	};
	Object.assign(globalThis.console, { log: logLine, info: logLine, debug: logLine, warn: logLine, error: logLine, trace: logLine });
}

function send(message: ChildMessage): void {
	process.send?.(message);
}

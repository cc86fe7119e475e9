/** The server under test: the real process on a temporary folder, with a watch on its event loop. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { LoopReport } from "./loop-watch.ts";

export interface Server {
	readonly address: string;
	readonly pid: number;
	/** From the start of the process until it said where it listens. */
	readonly startedMs: number;
	/** What happened on the event loop since the last time it was asked. */
	readonly loop: () => Promise<LoopReport>;
	readonly stop: () => Promise<void>;
	/** Ends it without waiting for what is in hand. */
	readonly kill: () => Promise<void>;
}

export const key = "cairn-bench-key-0001";

const here = resolve(import.meta.dir, "..");
const watch = resolve(import.meta.dir, "loop-watch.ts");
const patienceMs = 30_000;

/** A folder that is gone when the program ends. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
	const path = await mkdtemp(join(tmpdir(), "cairn-bench-"));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * @param bunFlags for profiles: `--cpu-prof` and the like
 * @param settings as in docs/configuration.md
 * @param checkout the clone whose server it is; another one when two versions are compared
 * @param isWatched whether its event loop is watched, which takes a few percent of its processor time; `loop` answers only then
 */
export async function startServer(
	folder: string,
	bunFlags: readonly string[] = [],
	settings: Readonly<Record<string, string>> = {},
	checkout: string = here,
	isWatched = true,
): Promise<Server> {
	await mkdir(folder, { recursive: true });
	const answers: ((report: LoopReport) => void)[] = [];
	const began = performance.now();
	const child = Bun.spawn([process.execPath, "--no-install", ...bunFlags, ...(isWatched ? ["--preload", watch] : []), join(checkout, "server/main.ts")], {
		env: {
			PATH: process.env["PATH"] ?? "",
			HOME: process.env["HOME"] ?? "",
			PORT: "0",
			CAIRN_DATA_DIR: folder,
			CAIRN_API_KEY: key,
			CAIRN_LOG_LEVEL: "warn",
			...settings,
		},
		cwd: folder,
		stdout: "pipe",
		stderr: "inherit",
		ipc: (report: LoopReport) => answers.shift()?.(report),
	});
	const address = await greeted(child.stdout, began + patienceMs);
	if (address === null) {
		child.kill("SIGKILL");
		throw new Error("the server did not start");
	}
	return {
		address,
		pid: child.pid,
		startedMs: performance.now() - began,
		loop: () => {
			const { promise, resolve: answer } = Promise.withResolvers<LoopReport>();
			answers.push(answer);
			child.send("report");
			return promise;
		},
		stop: async () => {
			child.kill("SIGTERM");
			await child.exited;
		},
		kill: async () => {
			child.kill("SIGKILL");
			await child.exited;
		},
	};
}

/** Reads on until the server says where it listens, and leaves the rest to nobody: the greeting is all it prints there. */
async function greeted(output: ReadableStream<Uint8Array>, until: number): Promise<string | null> {
	const decoder = new TextDecoder();
	let printed = "";
	for await (const piece of output) {
		printed += decoder.decode(piece, { stream: true });
		const address = /listens on (\S+)/.exec(printed)?.[1];
		if (address !== undefined && printed.includes("Find it:")) return address;
		if (performance.now() > until) return null;
	}
	return null;
}

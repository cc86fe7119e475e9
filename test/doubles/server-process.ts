/** The server as its user has it: a process of its own, on a folder that outlives it. */

import { resolve } from "node:path";

export interface ServerProcess {
	readonly pid: number;
	readonly address: string;
	/** All it has printed so far. */
	readonly printed: () => string;
	/** The key it made at its first start. */
	readonly key: string | null;
	readonly exited: Promise<number>;
	readonly kill: (signal: NodeJS.Signals) => Promise<number>;
}

const entry = resolve(import.meta.dir, "../../server/main.ts");
const patienceMs = 120_000;

/** The flag that the server would otherwise start itself anew with, which takes a moment. */
const usualFlags = ["--no-install"];

type Env = Readonly<Record<string, string>>;

/** @param before a program that becomes the one it is given */
export function spawnServer(dataDir: string, env: Env, flags = usualFlags, before: readonly string[] = []) {
	return Bun.spawn([...before, process.execPath, ...flags, entry], {
		env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PORT: "0", CAIRN_DATA_DIR: dataDir, ...env },
		cwd: dataDir,
		stdout: "pipe",
		stderr: "pipe",
	});
}

export interface EndedStart {
	/** Null for one that had to be killed. */
	readonly code: number | null;
	readonly printed: string;
	readonly seconds: number;
}

/** A start that is meant to end by itself. */
export async function endedStart(dataDir: string, env: Env = {}, waitMs = 60_000): Promise<EndedStart> {
	const began = performance.now();
	const child = spawnServer(dataDir, env);
	const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	const timer = setTimeout(() => child.kill("SIGKILL"), waitMs);
	const code = await child.exited;
	clearTimeout(timer);
	return { code: child.signalCode === null ? code : null, printed: (await texts).join(""), seconds: (performance.now() - began) / 1_000 };
}

/** As `listening`. @param before as with `spawnServer` */
export function startServerProcess(dataDir: string, env: Env = {}, flags = usualFlags, before: readonly string[] = []): Promise<ServerProcess> {
	return listening(spawnServer(dataDir, env, flags, before));
}

/**
 * Waits until a server that was just started says where it listens. Rejects with what it printed when it ends instead, and with the signal
 * if one ended it. @param waitMs after so long a server that neither listens nor ends is ended here, and the message says so
 */
export async function listening(child: Bun.Subprocess<"ignore", "pipe", "pipe">, waitMs = patienceMs): Promise<ServerProcess> {
	const texts = { out: "", err: "" };
	const reading = Promise.all([drain(child.stdout, (text) => (texts.out += text)), drain(child.stderr, (text) => (texts.err += text))]);
	const until = performance.now() + waitMs;
	while (!texts.out.includes("Find it:")) {
		const end = child.exitCode === null ? child.signalCode : `exit code ${child.exitCode}`;
		if (end !== null || performance.now() > until) {
			child.kill("SIGKILL");
			await reading;
			throw new Error(`the server did not start (${end ?? `ended by the test after ${waitMs} ms`}): ${texts.out}${texts.err}`);
		}
		await Bun.sleep(5);
	}
	return {
		pid: child.pid,
		address: /listens on (\S+)/.exec(texts.out)?.[1] ?? "",
		printed: () => texts.out + texts.err,
		key: /(sm_\w+_[\w-]+)/.exec(texts.out)?.[1] ?? null,
		exited: child.exited,
		kill: async (signal) => {
			child.kill(signal);
			const code = await child.exited;
			await reading;
			return code;
		},
	};
}

async function drain(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
	const decoder = new TextDecoder();
	for await (const piece of stream) take(decoder.decode(piece, { stream: true }));
}

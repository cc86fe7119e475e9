/** Has one word file built by a process of its own, and makes what it built the index. */

import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Log } from "cairn";
import type { WordAddress } from "./word-address.ts";
import { publishWords, removeWords, wordPaths } from "./word-folder.ts";
import type { BuiltWords } from "./word-manifest.ts";

export interface WordBuildRequest {
	/** The database. */
	readonly file: string;
	/** Where word files are. */
	readonly folder: string;
	readonly address: WordAddress;
}

/** What the builder is told, as JSON. */
export interface WordBuildTask extends WordBuildRequest {
	readonly generation: string;
	readonly parent: number;
}

/** @returns whether there is a new index. When not, the old one is still in place and still right. */
export async function buildWords(request: WordBuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	if (signal.aborted) return false;
	const { folder, address } = request;
	const generation = `${Date.now().toString(36)}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ""}`;
	const task: WordBuildTask = { ...request, generation, parent: process.pid };
	const started = performance.now();
	const builder = Bun.spawn([process.execPath, fileURLToPath(new URL("./build-words.ts", import.meta.url)), JSON.stringify(task)], {
		env: {},
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		signal,
		killSignal: "SIGKILL",
	});
	const [code, output, complaint] = await Promise.all([builder.exited, new Response(builder.stdout).text(), new Response(builder.stderr).text()]);
	if (code !== 0 || !(await publish(request, generation, output))) {
		const { texts } = wordPaths(folder, address, generation);
		for (const path of [texts, `${texts}.tmp`, `${texts}.tmp.tmp`]) await rm(path, { force: true });
		if (!signal.aborted) log("warn", "a word index could not be built", { ...address, code, signal: builder.signalCode, complaint: complaint.slice(-1000) });
		return false;
	}
	await removeWords(folder, address, generation);
	log("info", "built a word index", { ...address, seconds: Math.round((performance.now() - started) / 100) / 10 });
	return true;
}

async function publish({ folder, address }: WordBuildRequest, generation: string, output: string): Promise<boolean> {
	try {
		const built: BuiltWords = JSON.parse(output);
		await publishWords(folder, address, generation, built);
		return true;
	} catch {
		return false;
	}
}

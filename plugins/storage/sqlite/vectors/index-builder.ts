/** Has one index built by a process of its own, and makes what it built the index of the room. */

import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Log } from "cairn";
import { indexPaths, publishIndex, removeIndex } from "./index-folder.ts";
import type { BuiltClaims } from "./index-manifest.ts";
import type { RoomAddress } from "./room-address.ts";

export interface BuildRequest {
	/** The database. */
	readonly file: string;
	/** Where index files are. */
	readonly folder: string;
	readonly address: RoomAddress;
}

/** What the builder is told, as JSON. */
export interface BuildTask extends BuildRequest {
	readonly generation: string;
	readonly threads: number;
	readonly parent: number;
}

/** @returns whether there is a new index. When not, the old one is still in place and still right. */
export async function buildIndex(request: BuildRequest, signal: AbortSignal, log: Log): Promise<boolean> {
	if (signal.aborted) return false;
	const { folder, address } = request;
	const generation = `${Date.now().toString(36)}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ""}`;
	// Half the cores: the other half answers.
	const task: BuildTask = { ...request, generation, threads: Math.max(1, Math.floor(availableParallelism() / 2)), parent: process.pid };
	const started = performance.now();
	const builder = Bun.spawn([process.execPath, fileURLToPath(new URL("./build-index.ts", import.meta.url)), JSON.stringify(task)], {
		env: {},
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		signal,
		killSignal: "SIGKILL",
	});
	const facts = { kind: address.kind, organisation: address.organisation, space: address.space.name };
	log("info", "building a vector index", { ...facts, process: builder.pid });
	const [code, output, complaint] = await Promise.all([builder.exited, new Response(builder.stdout).text(), new Response(builder.stderr).text()]);
	const isDone = code === 0 && (await publish(request, generation, output));
	if (!isDone) {
		const { graph, rows } = indexPaths(folder, address, generation);
		for (const path of [graph, rows, `${graph}.tmp`, `${rows}.tmp`]) await rm(path, { force: true });
		if (!signal.aborted) log("warn", "a vector index could not be built", { ...facts, code, signal: builder.signalCode, complaint: complaint.slice(-1000) });
		return false;
	}
	await removeIndex(folder, address, generation);
	log("info", "built a vector index", { ...facts, seconds: Math.round((performance.now() - started) / 100) / 10 });
	return true;
}

async function publish({ folder, address }: BuildRequest, generation: string, output: string): Promise<boolean> {
	try {
		const built: BuiltClaims = JSON.parse(output);
		await publishIndex(folder, address, generation, built);
		return true;
	} catch {
		return false;
	}
}

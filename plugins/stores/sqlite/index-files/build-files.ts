/** Has disposable index files built by a process of its own, and puts them in the place of the old ones. */

import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Log } from "cairn-memory";
import { newGeneration } from "./generation.ts";

export interface Building {
	/** `a vector index`, for the log. */
	readonly what: string;
	readonly facts: Readonly<Record<string, unknown>>;
	/** The program. It gets its task as JSON, and prints what it built as JSON. */
	readonly script: URL;
	readonly taskOf: (generation: string) => object;
	/** Whatever a build that broke off may have left. */
	readonly leftoversOf: (generation: string) => readonly string[];
	/** Rejects when what was built cannot be believed. */
	readonly publish: (generation: string, built: unknown) => Promise<void>;
	/** Removes the files of every other generation. */
	readonly removeOthers: (generation: string) => Promise<void>;
}

const complaintCharactersMax = 1_000;

/** @returns whether there are new files. When not, the old ones are still in place and still right. */
export async function buildFiles(
	{ what, facts, script, taskOf, leftoversOf, publish, removeOthers }: Building,
	signal: AbortSignal,
	log: Log,
): Promise<boolean> {
	if (signal.aborted) return false;
	const generation = newGeneration();
	const started = performance.now();
	const builder = Bun.spawn([process.execPath, "--no-install", fileURLToPath(script), JSON.stringify(taskOf(generation))], {
		// Nothing of the server's, but that a single-file executable is to be Bun.
		env: { BUN_BE_BUN: "1" },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		signal,
		killSignal: "SIGKILL",
	});
	log("info", `building ${what}`, { ...facts, process: builder.pid });
	const [code, output, complaint] = await Promise.all([builder.exited, new Response(builder.stdout).text(), new Response(builder.stderr).text()]);
	const trouble = code === 0 ? await publishing(output) : complaint.slice(-complaintCharactersMax);
	if (trouble !== null) {
		for (const path of leftoversOf(generation)) await rm(path, { force: true });
		if (!signal.aborted) log("warn", `${what} could not be built`, { ...facts, code, signal: builder.signalCode, complaint: trouble });
		return false;
	}
	await removeOthers(generation);
	log("info", `built ${what}`, { ...facts, seconds: Math.round((performance.now() - started) / 100) / 10 });
	return true;

	/** @returns why what was built cannot be used; null when it is in use. */
	async function publishing(json: string): Promise<string | null> {
		try {
			await publish(generation, JSON.parse(json));
			return null;
		} catch (thrown) {
			return thrown instanceof Error ? thrown.message : String(thrown);
		}
	}
}

/** Builds index files in a separate process, and replaces the old ones with them. */

import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Log } from "cairn-memory";
import { newGeneration } from "./generation.ts";

export interface FileBuild {
	/** What is built, for the log: `a vector index`. */
	readonly what: string;
	/** Further fields for the log. */
	readonly details: Readonly<Record<string, unknown>>;
	/** The program. It gets its task as JSON, and prints what it built as JSON. */
	readonly script: URL;
	readonly taskOf: (generation: string) => object;
	/** The paths of files that an interrupted build may leave. */
	readonly leftoversOf: (generation: string) => readonly string[];
	/** Makes the new files the index. Rejects if they are not valid. */
	readonly publish: (generation: string, built: unknown) => Promise<void>;
	/** Removes the files of every other generation. */
	readonly removeOtherGenerations: (generation: string) => Promise<void>;
}

const errorCharactersMax = 1_000;

/** @returns whether there are new files. If not, the old ones are still in place and valid. */
export async function buildFiles(
	{ what, details, script, taskOf, leftoversOf, publish, removeOtherGenerations }: FileBuild,
	signal: AbortSignal,
	log: Log,
): Promise<boolean> {
	if (signal.aborted) return false;
	const generation = newGeneration();
	const started = performance.now();
	const builder = Bun.spawn([process.execPath, "--no-install", fileURLToPath(script), JSON.stringify(taskOf(generation))], {
		// The environment is empty but for this variable, which makes a single-file executable behave as Bun.
		env: { BUN_BE_BUN: "1" },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		signal,
		killSignal: "SIGKILL",
	});
	log("info", `building ${what}`, { ...details, process: builder.pid });
	const [code, output, errorOutput] = await Promise.all([builder.exited, new Response(builder.stdout).text(), new Response(builder.stderr).text()]);
	const error = code === 0 ? await tryPublish(output) : errorOutput.slice(-errorCharactersMax);
	if (error !== null) {
		for (const path of leftoversOf(generation)) await rm(path, { force: true });
		if (!signal.aborted) log("warn", `${what} could not be built`, { ...details, code, signal: builder.signalCode, complaint: error });
		return false;
	}
	await removeOtherGenerations(generation);
	log("info", `built ${what}`, { ...details, seconds: Math.round((performance.now() - started) / 100) / 10 });
	return true;

	/** @returns why the new files cannot be used; null if they are in use. */
	async function tryPublish(json: string): Promise<string | null> {
		try {
			await publish(generation, JSON.parse(json));
			return null;
		} catch (thrown) {
			return thrown instanceof Error ? thrown.message : String(thrown);
		}
	}
}

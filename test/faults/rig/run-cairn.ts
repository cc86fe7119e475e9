/** Runs a command of `cairn`: in a process that can be killed, or here, without a word. */

import { dirname, resolve } from "node:path";
import { runCommand } from "../../../server/commands/run-command.ts";

const main = resolve(import.meta.dir, "../../../server/main.ts");

export function spawnCommand(dataDir: string, ...words: readonly string[]) {
	return spawnBehind([], dataDir, words);
}

/** @param before a program that becomes the one it is given, such as a tracer. @param env more of it */
export function spawnBehind(before: readonly string[], dataDir: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
	return Bun.spawn([...before, process.execPath, "--no-install", main, ...words], {
		env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: dataDir, ...env },
		cwd: dirname(dataDir),
		stdout: "ignore",
		stderr: "ignore",
	});
}

/** @returns the exit code; the sentence with which it was refused */
export function quietly(dataDir: string, ...words: readonly string[]): Promise<number | string> {
	return quietlyWith({}, dataDir, ...words);
}

/** @param env more of it */
export async function quietlyWith(env: Readonly<Record<string, string>>, dataDir: string, ...words: readonly string[]): Promise<number | string> {
	try {
		return await runCommand({ args: words, env: { CAIRN_DATA_DIR: dataDir, ...env }, write: () => undefined, writeError: () => undefined });
	} catch (thrown) {
		return (thrown as Error).message;
	}
}

/**
 * The entry of a single-file executable, which contains Bun, this file, and the whole package as an archive. At the first start the
 * package is unpacked into the data folder; then this process is replaced by Bun, which runs the package. Commands that only call a
 * server do not need the package and write nothing.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { asStartError } from "../boot/start-error.ts";
import { runClientCommand } from "../commands/client/client-command.ts";
import { clientCommands } from "../commands/client/index.ts";
import { archive, digest } from "./embedded.ts";
import { unpackProgram } from "./unpack-program.ts";

const words = process.argv.slice(2);
const [name = "", ...commandArgs] = words;
const command = Object.hasOwn(clientCommands, name) ? clientCommands[name] : undefined;

try {
	if (command !== undefined) {
		const [write, writeError] = [(text: string) => process.stdout.write(text), (text: string) => process.stderr.write(text)];
		process.exit(await runClientCommand(name, command, commandArgs, { args: words, env: process.env, write, writeError }));
	}
	const program = await unpackProgram(archive, digest, dataFolder());
	replaceWithBun([`${program}/server/main.ts`, ...words], { BUN_RUNTIME_TRANSPILER_CACHE_PATH: `${program}.compiled` });
} catch (thrown) {
	const error = asStartError(thrown);
	if (error === null) throw thrown;
	process.stderr.write(`cairn cannot start: ${error.message}${error.hint === null ? "" : `\n  ${error.hint}`}\n  (${error.code})\n`);
	process.exit(1);
}

/** The data folder. It is read here in the same way as by the server's settings, which are not loaded yet. */
function dataFolder(): string {
	const { values } = parseArgs({ args: words, options: { "data-dir": { type: "string" } }, strict: false, allowPositionals: true });
	const flag = values["data-dir"];
	return resolve(typeof flag === "string" ? flag : process.env["CAIRN_DATA_DIR"] || ".cairn");
}

/** With `BUN_BE_BUN`, a single-file executable acts as Bun itself. */
function replaceWithBun(args: readonly string[], extraEnv: Readonly<Record<string, string>>): void {
	const commandLine: [string, ...string[]] = [process.execPath, "--no-install", ...args];
	const env = { ...process.env, ...extraEnv, BUN_BE_BUN: "1" } as Record<string, string>;
	process.execve?.(process.execPath, commandLine, env);
	const { exitCode } = Bun.spawnSync(commandLine, { env, stdio: ["inherit", "inherit", "inherit"] });
	process.exit(exitCode);
}

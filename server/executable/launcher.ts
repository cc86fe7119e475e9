/**
 * The entry of a single-file executable, which contains Bun, this file, and the whole package as an archive. At the first start the
 * package is unpacked into the data folder; then this process is replaced by Bun running it. Commands that only call a server need no
 * package and write nothing.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { asStartError } from "../boot/start-error.ts";
import { runClientCommand } from "../commands/client/client-command.ts";
import { clientCommands } from "../commands/client/index.ts";
import { archive, digest } from "./embedded.ts";
import { unpackProgram } from "./unpack-program.ts";

const words = process.argv.slice(2);
const [name = "", ...rest] = words;
const command = Object.hasOwn(clientCommands, name) ? clientCommands[name] : undefined;

try {
	if (command !== undefined) {
		const [write, writeError] = [(text: string) => process.stdout.write(text), (text: string) => process.stderr.write(text)];
		process.exit(await runClientCommand(name, command, rest, { words, env: process.env, write, writeError }));
	}
	const program = await unpackProgram(archive, digest, dataFolder());
	becomeBun([`${program}/server/main.ts`, ...words], { BUN_RUNTIME_TRANSPILER_CACHE_PATH: `${program}.compiled` });
} catch (thrown) {
	const error = asStartError(thrown);
	if (error === null) throw thrown;
	process.stderr.write(`cairn cannot start: ${error.message}${error.hint === null ? "" : `\n  ${error.hint}`}\n  (${error.code})\n`);
	process.exit(1);
}

/** The data folder as the server's settings define it; the settings are not loaded yet. */
function dataFolder(): string {
	const { values } = parseArgs({ args: words, options: { "data-dir": { type: "string" } }, strict: false, allowPositionals: true });
	const flag = values["data-dir"];
	return resolve(typeof flag === "string" ? flag : process.env["CAIRN_DATA_DIR"] || ".cairn");
}

/** With `BUN_BE_BUN`, a single-file executable acts as Bun itself. */
function becomeBun(args: readonly string[], more: Readonly<Record<string, string>>): void {
	const line: [string, ...string[]] = [process.execPath, "--no-install", ...args];
	const env = { ...process.env, ...more, BUN_BE_BUN: "1" } as Record<string, string>;
	process.execve?.(process.execPath, line, env);
	const { exitCode } = Bun.spawnSync(line, { env, stdio: ["inherit", "inherit", "inherit"] });
	process.exit(exitCode);
}

/** `cairn login` and `cairn logout`: keeps the server's address and a key, so that the commands need no environment variables. */

import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { fail } from "../../core/errors/fail.ts";
import { checkKey, serverUrlOf } from "../client/connection.ts";
import { deleteLogin, saveLogin } from "../client/saved-login.ts";
import { createWireApi, networkSender, WireError } from "../client/wire-api.ts";
import type { CommandCall } from "./run-command.ts";

/** The key is never an argument: arguments are in the shell's history and in the list of processes. @returns the exit code. @throws ServiceError `COMMAND_INVALID` */
export async function loginCommand(args: readonly string[], { env, write, writeError }: CommandCall, readKey = readKeyFromInput): Promise<number> {
	const [given, ...more] = args;
	if (more.length > 0) throw fail("COMMAND_INVALID", "usage: cairn login [URL]; the API key is asked for, or read from standard input");
	const url = serverUrlOf(given === undefined ? env : { CAIRN_URL: given });
	const key = (await readKey(() => writeError(`Key for ${url}: `))).trim();
	if (key === "") throw fail("COMMAND_INVALID", "no key was given; in a terminal it is asked for, else it is read from standard input");
	checkKey(key);
	try {
		await createWireApi({ send: networkSender(url), baseUrl: url, key, source: "cli" }).ask("GET", "/v3/session");
	} catch (thrown) {
		if (!(thrown instanceof WireError)) throw thrown;
		writeError(`cairn login: ${thrown.message}; nothing was saved\n`);
		return 1;
	}
	write(`logged in to ${url}; saved in ${await saveLogin(env, { url, key })}\n`);
	return 0;
}

/** @returns the exit code */
export async function logoutCommand(args: readonly string[], { env, write }: CommandCall): Promise<number> {
	if (args.length > 0) throw fail("COMMAND_INVALID", "usage: cairn logout");
	await deleteLogin(env);
	write("the saved URL and API key are deleted; the key itself stays valid until it is revoked\n");
	return 0;
}

/** In a terminal one line that is not echoed, else all of standard input. */
async function readKeyFromInput(ask: () => void): Promise<string> {
	if (process.stdin.isTTY !== true) return Bun.stdin.text();
	ask();
	const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
	const line = createInterface({ input: process.stdin, output: nothing, terminal: true });
	try {
		return await line.question("");
	} finally {
		line.close();
		process.stderr.write("\n");
	}
}

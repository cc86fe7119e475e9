/** A command that talks to a running server: what it takes, what it does, and how its answer is printed. */

import { parseArgs } from "node:util";
import { fail } from "../../../core/errors/fail.ts";
import { connectionOf } from "../../client/connection.ts";
import { type WireApi, WireError } from "../../client/wire-api.ts";
import type { CommandCall } from "../run-command.ts";

export interface ClientOption {
	readonly type: "string" | "boolean";
	/** The placeholder of its value in the help. */
	readonly value?: string;
	readonly meaning: string;
}

export interface ClientCommand {
	/** Its arguments, as shown in the help. */
	readonly words: string;
	readonly meaning: string;
	readonly options: Readonly<Record<string, ClientOption>>;
	/** @returns the exit code: 0 when all went well, 1 when something was refused or failed */
	readonly run: (call: ClientCall) => Promise<number>;
}

export interface ClientCall {
	readonly words: readonly string[];
	readonly options: Readonly<Record<string, string | boolean | undefined>>;
	readonly api: WireApi;
	readonly address: string;
	/** By `--container`, else by `CAIRN_CONTAINER`; null for none. */
	readonly container: string | null;
	/** The answer as JSON where `--json` asks for it, else these lines. */
	readonly print: (answer: unknown, lines: readonly string[]) => void;
	/** Writes to standard error, so that standard output can be piped. */
	readonly writeError: (line: string) => void;
	readonly isTerminal: boolean;
}

export const commonOptions: Readonly<Record<string, ClientOption>> = {
	container: { type: "string", value: "TAG", meaning: "the container tag (CAIRN_CONTAINER)" },
	json: { type: "boolean", meaning: "prints the server's answer" },
};

/** @returns the exit code. @throws ServiceError `COMMAND_INVALID` */
export async function runClientCommand(name: string, command: ClientCommand, rest: readonly string[], call: CommandCall): Promise<number> {
	const { words, values } = parsed(name, command, rest);
	const { api, address, container } = connectionOf(call.env, "cli");
	const complain = (line: string) => call.writeError(`cairn ${name}: ${line}\n`);
	const print = (answer: unknown, lines: readonly string[]) =>
		call.write(values["json"] === true ? `${JSON.stringify(answer, null, "\t")}\n` : lines.map((line) => `${line}\n`).join(""));
	const named = typeof values["container"] === "string" ? values["container"] : container;
	try {
		return await command.run({
			words,
			options: values,
			api,
			address,
			container: named,
			print,
			writeError: complain,
			isTerminal: process.stderr.isTTY === true,
		});
	} catch (thrown) {
		if (!(thrown instanceof WireError)) throw thrown;
		complain(thrown.message);
		return 1;
	}
}

/** @throws ServiceError `COMMAND_INVALID` with the correct usage */
export function wronglyCalled(name: string, { words }: Pick<ClientCommand, "words">): never {
	throw fail("COMMAND_INVALID", `it is called as cairn ${name} ${words}`);
}

function parsed(name: string, command: ClientCommand, rest: readonly string[]) {
	const options = Object.fromEntries(Object.entries({ ...commonOptions, ...command.options }).map(([option, { type }]) => [option, { type }]));
	try {
		const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true });
		return { words: positionals, values: values as ClientCall["options"] };
	} catch (thrown) {
		throw fail("COMMAND_INVALID", `${thrown instanceof Error ? thrown.message : thrown}; it is called as cairn ${name} ${command.words}`);
	}
}

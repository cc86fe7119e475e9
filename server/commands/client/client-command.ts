/** Defines and runs a command that talks to a running server: its arguments, its action, and how its result is printed. */

import { parseArgs } from "node:util";
import { fail } from "../../../core/errors/fail.ts";
import { connectionOf } from "../../client/connection.ts";
import { type WireApi, WireError } from "../../client/wire-api.ts";
import { escapeControls } from "../../escape-controls.ts";
import type { CommandCall } from "../run-command.ts";

export interface ClientOption {
	readonly type: "string" | "boolean";
	/** The placeholder for the option's value in the help. */
	readonly value?: string;
	readonly description: string;
}

export interface ClientCommand {
	/** Its arguments, as shown in the help. */
	readonly usage: string;
	readonly description: string;
	readonly options: Readonly<Record<string, ClientOption>>;
	/** @returns the exit code: 0 for success, 1 if something was rejected or failed */
	readonly run: (call: ClientCall) => Promise<number>;
}

export interface ClientCall {
	readonly args: readonly string[];
	readonly options: Readonly<Record<string, string | boolean | undefined>>;
	readonly api: WireApi;
	readonly url: string;
	/** The container of `--container` or, without it, of `CAIRN_CONTAINER`; null if neither is set. */
	readonly container: string | null;
	/** Prints the server's response as JSON if `--json` is set, otherwise these lines. What in them would act on a terminal is escaped. */
	readonly print: (response: unknown, lines: readonly string[]) => void;
	/** Writes to standard error, so that standard output can be piped. */
	readonly writeError: (line: string) => void;
	readonly isTerminal: boolean;
}

export const commonOptions: Readonly<Record<string, ClientOption>> = {
	container: { type: "string", value: "TAG", description: "the container tag (CAIRN_CONTAINER)" },
	json: { type: "boolean", description: "prints the server's response as JSON" },
};

/** @returns the exit code. @throws ServiceError `COMMAND_INVALID` */
export async function runClientCommand(name: string, command: ClientCommand, rest: readonly string[], call: CommandCall): Promise<number> {
	const { words, values } = parseCommandLine(name, command, rest);
	const { api, url, container } = connectionOf(call.env, "cli");
	const writeError = (line: string) => call.writeError(`cairn ${name}: ${escapeControls(line)}\n`);
	const print = (response: unknown, lines: readonly string[]) =>
		call.write(values["json"] === true ? `${escapedJson(response)}\n` : lines.map((line) => `${escapeControls(line)}\n`).join(""));
	const chosenContainer = typeof values["container"] === "string" ? values["container"] : container;
	try {
		return await command.run({
			args: words,
			options: values,
			api,
			url,
			container: chosenContainer,
			print,
			writeError,
			isTerminal: process.stderr.isTTY === true,
		});
	} catch (thrown) {
		if (!(thrown instanceof WireError)) throw thrown;
		writeError(thrown.message);
		return 1;
	}
}

/** Its line breaks and tabs are those between values: within texts they are escaped already. */
function escapedJson(response: unknown): string {
	return JSON.stringify(response, null, "\t").replaceAll(/[^\n\t]+/g, escapeControls);
}

/** @throws ServiceError `COMMAND_INVALID` with the correct usage */
export function failWithUsage(name: string, { usage }: Pick<ClientCommand, "usage">): never {
	throw fail("COMMAND_INVALID", `usage: cairn ${name} ${usage}`);
}

function parseCommandLine(name: string, command: ClientCommand, rest: readonly string[]) {
	const options = Object.fromEntries(Object.entries({ ...commonOptions, ...command.options }).map(([option, { type }]) => [option, { type }]));
	try {
		const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true });
		return { words: positionals, values: values as ClientCall["options"] };
	} catch (thrown) {
		throw fail("COMMAND_INVALID", `${thrown instanceof Error ? thrown.message : thrown}; usage: cairn ${name} ${command.usage}`);
	}
}

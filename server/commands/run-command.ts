/** `cairn` followed by a word runs a command instead of the server. */

import { fail } from "../../core/errors/fail.ts";
import { readConfiguration } from "../boot/read-configuration.ts";
import { version } from "../version.ts";
import type { FolderPlace } from "./backup.ts";
import { runClientCommand } from "./client/client-command.ts";
import { importFrom } from "./client/import-from.ts";
import { clientCommands } from "./client/index.ts";
import { completionScript } from "./completion.ts";
import { helpText } from "./help.ts";

export interface CommandCall {
	/** The command and its arguments. */
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly write: (text: string) => void;
	/** To standard error. */
	readonly writeError: (text: string) => void;
}

/** @returns the exit code. */
type Command = (rest: readonly string[], call: CommandCall) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
	eval: async (rest, { env, write }) => {
		const { evaluate } = await import("../evaluation/evaluate.ts");
		await evaluate(rest, env, write, new AbortController().signal);
		return 0;
	},
	models: async (rest, call) => {
		const { modelsCommand } = await import("./models.ts");
		const { words, settings } = await readCall(rest, call);
		return modelsCommand(words, settings, { write: call.write, isTerminal: process.stdout.isTTY === true, signal: new AbortController().signal });
	},
	embedder: async (rest, call) => {
		const { embedderCommand } = await import("./embedder.ts");
		const { words, settings } = await readCall(rest, call);
		return embedderCommand(words, { dataDir: settings.dataDir, write: call.write });
	},
	backup: async (rest, call) => {
		const { backupCommand } = await import("./backup.ts");
		return backupCommand(...(await folderCall(rest, call)));
	},
	restore: async (rest, call) => {
		const { restoreCommand } = await import("./backup.ts");
		return restoreCommand(...(await folderCall(rest, call)));
	},
	verify: async (rest, call) => {
		const { verifyCommand } = await import("./backup.ts");
		return verifyCommand(...(await folderCall(rest, call)));
	},
	export: async (rest, call) => {
		const { exportCommand } = await import("./export.ts");
		return exportCommand(...(await folderCall(rest, call)));
	},
	import: async (rest, call) => {
		if (rest.some((word) => /^--from(?:=|$)/.test(word))) return runClientCommand("import", importFrom, rest, call);
		const { importCommand } = await import("./export.ts");
		return importCommand(...(await folderCall(rest, call)));
	},
	erase: async (rest, call) => {
		const { eraseCommand } = await import("./erase.ts");
		const isProved = rest.includes("--prove");
		const [words, place] = await folderCall(
			rest.filter((word) => word !== "--prove"),
			call,
		);
		return eraseCommand(words, place, isProved);
	},
	salvage: async (rest, call) => {
		const { salvageCommand } = await import("./salvage.ts");
		return salvageCommand(...(await folderCall(rest, call)));
	},
	login: async (rest, call) => {
		const { loginCommand } = await import("./login.ts");
		return loginCommand(rest, call);
	},
	logout: async (rest, call) => {
		const { logoutCommand } = await import("./login.ts");
		return logoutCommand(rest, call);
	},
	mcp: async (rest, { env }) => {
		const { mcpCommand } = await import("./mcp.ts");
		return mcpCommand(rest, env);
	},
	...Object.fromEntries(
		Object.entries(clientCommands).map(([name, command]): readonly [string, Command] => [name, (rest, call) => runClientCommand(name, command, rest, call)]),
	),
	completion: async (rest, { write }) => {
		write(completionScript(rest, Object.keys(commands)));
		return 0;
	},
	help: async (_rest, { write }) => {
		write(helpText());
		return 0;
	},
	version: async (_rest, { write }) => {
		write(`${version}\n`);
		return 0;
	},
};

/** Common flags that stand for a command. */
const otherNames: Readonly<Record<string, string>> = { "-h": "help", "--help": "help", "--version": "version" };

/** Flags start the server; any other first word is a command. */
export function isCommand(word: string | undefined): word is string {
	return word !== undefined && (!word.startsWith("--") || Object.hasOwn(otherNames, word));
}

/** @returns the exit code. @throws ServiceError `COMMAND_INVALID`, and what the command throws */
export async function runCommand(call: CommandCall): Promise<number> {
	const [given = "", ...rest] = call.words;
	const name = otherNames[given] ?? given;
	if (!Object.hasOwn(commands, name)) throw fail("COMMAND_INVALID", `there is no command ${given}; there are ${Object.keys(commands).join(", ")}`);
	// `eval` has flags of its own and a page about them.
	const asksHelp = name !== "eval" && rest.some((word) => otherNames[word] === "help");
	const command = asksHelp ? commands["help"] : commands[name];
	return command?.(rest, call) ?? 0;
}

async function folderCall(rest: readonly string[], call: CommandCall): Promise<[words: readonly string[], place: FolderPlace]> {
	const { words, settings, config } = await readCall(rest, call);
	return [words, { settings, config, write: call.write, writeError: call.writeError, isTerminal: process.stderr.isTTY === true }];
}

/** Reads the settings as the server does; flags come after the words of the command. */
async function readCall(rest: readonly string[], { env }: CommandCall) {
	const firstFlag = rest.findIndex((word) => word.startsWith("--"));
	const [words, flags] = firstFlag < 0 ? [rest, []] : [rest.slice(0, firstFlag), rest.slice(firstFlag)];
	return { words, ...(await readConfiguration({ env, flags })) };
}

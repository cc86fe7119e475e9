/** Runs the command that the first argument names. Without a command, `cairn` starts the server. */

import { closest, distance } from "fastest-levenshtein";
import { fail } from "../../core/errors/fail.ts";
import { readConfiguration } from "../boot/read-configuration.ts";
import { version } from "../version.ts";
import type { CommandContext } from "./backup.ts";
import { runClientCommand } from "./client/client-command.ts";
import { importFrom } from "./client/import-from.ts";
import { clientCommands } from "./client/index.ts";
import { completionScript } from "./completion.ts";
import { helpOf, helpText } from "./help.ts";
import { flagAliases } from "./is-command.ts";
import { takeOption } from "./take-option.ts";

/** Wrong letters in a command's name that is still recognized. */
const misspeltMax = 2;

export interface CommandCall {
	/** The command and its arguments. */
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly write: (text: string) => void;
	/** Writes to standard error. */
	readonly writeError: (text: string) => void;
}

/** @returns the exit code. */
type Command = (commandArgs: readonly string[], call: CommandCall) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
	eval: async (commandArgs, { env, write }) => {
		const { evaluate } = await import("../evaluation/evaluate.ts");
		await evaluate(commandArgs, env, write, new AbortController().signal);
		return 0;
	},
	models: async (commandArgs, call) => {
		const { modelsCommand } = await import("./models.ts");
		const { words, settings } = await readCall(commandArgs, call);
		return modelsCommand(words, settings, { write: call.write, isTerminal: process.stdout.isTTY === true, signal: new AbortController().signal });
	},
	embedder: async (commandArgs, call) => {
		const { embedderCommand } = await import("./embedder.ts");
		const { words, settings } = await readCall(commandArgs, call);
		return embedderCommand(words, { dataDir: settings.dataDir, write: call.write });
	},
	backup: async (commandArgs, call) => {
		const { backupCommand, takeKeep } = await import("./backup.ts");
		const { words, keep } = takeKeep(commandArgs);
		const [names, context] = await readFolderCall(words, call);
		return backupCommand(names, context, keep);
	},
	restore: async (commandArgs, call) => {
		const { restoreCommand } = await import("./backup.ts");
		return restoreCommand(...(await readFolderCall(commandArgs, call)));
	},
	verify: async (commandArgs, call) => {
		const { verifyCommand } = await import("./backup.ts");
		return verifyCommand(...(await readFolderCall(commandArgs, call)));
	},
	export: async (commandArgs, call) => {
		const { exportCommand } = await import("./export.ts");
		return exportCommand(...(await readOrganisationCall(commandArgs, call)));
	},
	import: async (commandArgs, call) => {
		if (commandArgs.some((word) => /^--from(?:=|$)/.test(word))) return runClientCommand("import", importFrom, commandArgs, call);
		const { importCommand } = await import("./export.ts");
		return importCommand(...(await readOrganisationCall(commandArgs, call)));
	},
	erase: async (commandArgs, call) => {
		const { eraseCommand, takeEraseOptions } = await import("./erase.ts");
		const { words, options } = takeEraseOptions(commandArgs);
		const [names, context, organisation] = await readOrganisationCall(words, call);
		return eraseCommand(names, context, { ...options, organisation });
	},
	salvage: async (commandArgs, call) => {
		const { salvageCommand } = await import("./salvage.ts");
		return salvageCommand(...(await readFolderCall(commandArgs, call)));
	},
	"migrate-store": async (commandArgs, call) => {
		const { migrateStoreCommand, takeMoveWords } = await import("./migrate-store.ts");
		const { words, move } = takeMoveWords(commandArgs);
		const [names, context] = await readFolderCall(words, call);
		return migrateStoreCommand(names, move, context);
	},
	login: async (commandArgs, call) => {
		const { loginCommand } = await import("./login.ts");
		return loginCommand(commandArgs, call);
	},
	logout: async (commandArgs, call) => {
		const { logoutCommand } = await import("./login.ts");
		return logoutCommand(commandArgs, call);
	},
	mcp: async (commandArgs, { env }) => {
		const { mcpCommand } = await import("./mcp.ts");
		return mcpCommand(commandArgs, env);
	},
	...Object.fromEntries(
		Object.entries(clientCommands).map(([name, command]): readonly [string, Command] => [
			name,
			(commandArgs, call) => runClientCommand(name, command, commandArgs, call),
		]),
	),
	completion: async (commandArgs, { write }) => {
		write(completionScript(commandArgs, Object.keys(commands)));
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

/** @returns the exit code. @throws ServiceError `COMMAND_INVALID`, and what the command throws */
export async function runCommand(call: CommandCall): Promise<number> {
	const [firstArg = "", ...commandArgs] = call.args;
	const name = flagAliases[firstArg] ?? firstArg;
	if (!Object.hasOwn(commands, name)) throw fail("COMMAND_INVALID", `there is no command ${firstArg}; ${meantBy(firstArg)}`);
	// `eval` has its own flags and its own help page. What comes after `--` is an argument.
	const flags = commandArgs.slice(0, commandArgs.includes("--") ? commandArgs.indexOf("--") : undefined);
	if (name !== "eval" && flags.some((word) => flagAliases[word] === "help")) {
		call.write(helpOf(name));
		return 0;
	}
	return commands[name]?.(commandArgs, call) ?? 0;
}

function meantBy(word: string): string {
	const names = Object.keys(commands);
	const nearest = closest(word, names);
	return distance(word, nearest) <= misspeltMax ? `did you mean "cairn ${nearest}"?` : `the commands are ${names.join(", ")}`;
}

async function readFolderCall(commandArgs: readonly string[], call: CommandCall): Promise<[words: readonly string[], place: CommandContext]> {
	const { words, settings, config } = await readCall(
		commandArgs.filter((word) => word !== "--json"),
		call,
	);
	const isJson = commandArgs.includes("--json");
	return [words, { settings, config, write: call.write, writeError: call.writeError, isTerminal: process.stderr.isTTY === true, isJson }];
}

/** That of a command which works on one organisation. */
async function readOrganisationCall(
	commandArgs: readonly string[],
	call: CommandCall,
): Promise<[words: readonly string[], place: CommandContext, organisation: string | null]> {
	const { words, value } = takeOption(commandArgs, "organisation");
	return [...(await readFolderCall(words, call)), value];
}

/** Reads the settings as the server does. Flags come after the other arguments of the command. */
async function readCall(commandArgs: readonly string[], { env }: CommandCall) {
	const firstFlag = commandArgs.findIndex((word) => word.startsWith("--"));
	const [words, flags] = firstFlag < 0 ? [commandArgs, []] : [commandArgs.slice(0, firstFlag), commandArgs.slice(firstFlag)];
	return { words, ...(await readConfiguration({ env, flags })) };
}

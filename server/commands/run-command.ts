/** `cairn` with a word behind it does something else than start a server. The settings are read as a server would. */

import { fail } from "../../core/errors/fail.ts";
import { loadConfig } from "../boot/load-config.ts";
import { readSettings } from "../settings/read-settings.ts";

/** The flags of the server come after what the command itself is told. */
export interface CommandCall {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly write: (text: string) => void;
}

const commands = {
	models: async ({ write }: CommandCall, words: readonly string[], settings: ReturnType<typeof readSettings>) => {
		const { modelsCommand } = await import("./models.ts");
		return modelsCommand(words, settings, { write, isTerminal: process.stdout.isTTY === true, signal: new AbortController().signal });
	},
	embedder: async ({ write }: CommandCall, words: readonly string[], settings: ReturnType<typeof readSettings>) => {
		const { embedderCommand } = await import("./embedder.ts");
		return embedderCommand(words, { dataDir: settings.dataDir, write });
	},
} as const;

export function isCommand(word: string | undefined): boolean {
	return word !== undefined && Object.hasOwn(commands, word);
}

/** @returns the exit code. */
export async function runCommand(call: CommandCall): Promise<number> {
	const [name = "", ...rest] = call.words;
	const firstFlag = rest.findIndex((word) => word.startsWith("--"));
	const [words, flags] = firstFlag < 0 ? [rest, []] : [rest.slice(0, firstFlag), rest.slice(firstFlag)];
	const given = { env: call.env, flags };
	const { config } = await loadConfig(readSettings(given).config);
	const command = commands[name as keyof typeof commands];
	if (command === undefined) throw fail("SETTING_UNKNOWN", name, `; there are ${Object.keys(commands).join(", ")}`);
	return command(call, words, readSettings(given, config.use));
}

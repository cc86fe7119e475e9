/** Whether the first argument of `cairn` is a command. It stands apart from the commands, so that a server starts without loading them. */

/** Common flags that are aliases of a command. */
export const flagAliases: Readonly<Record<string, string>> = { "-h": "help", "--help": "help", "--version": "version" };

/** Flags start the server; any other first word is a command. */
export function isCommand(word: string | undefined): word is string {
	return word !== undefined && (!word.startsWith("--") || Object.hasOwn(flagAliases, word));
}

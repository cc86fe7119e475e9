/** `cairn help`: every command and every setting, from the very lists that they are read by. */

import { relative } from "node:path";
import type { Definition } from "../settings/definition.ts";
import { definitions } from "../settings/definitions.ts";
import { builtinDefinitions } from "../settings/plugin-settings.ts";
import { type ClientOption, commonOptions } from "./client/client-command.ts";
import { importFrom } from "./client/import-from.ts";
import { clientCommands } from "./client/index.ts";

const commandLines = `cairn                        starts the server; in a clone: npm start
cairn eval FOLDER…           measures how well search finds; "cairn eval" alone tells how
cairn models list            local models that are known, and those that are here
cairn models pull NAME…      fetches them; "update" behind the names takes newer ones
cairn models verify [NAME…]  compares them with what was fetched
cairn models remove NAME     removes one
cairn embedder [use NAME]    which embedder searches use; changes it while the server runs
cairn backup FILE            copies the data folder into one file, also while a server runs
cairn restore FILE           makes an empty data folder what it was
cairn verify [FILE]          looks through a backup, or through the data folder
cairn export FILE            writes everything into one file of JSON Lines, also while a server runs
cairn import FILE            brings such a file into a data folder
cairn erase CONTAINER|ID     deletes for good, and looks for what was deleted in every file that is left
cairn salvage FOLDER NEW     what can be read of a damaged data folder goes into a new one
cairn login [URL]            keeps the address of a server and a key, which is asked for; "cairn logout" deletes them
cairn mcp                    tools for agents (Model Context Protocol) over standard input and output
cairn completion SHELL       prints what bash, zsh or fish need to complete these words
cairn help, cairn version    this page; the version

These talk to a running server: CAIRN_URL (http://127.0.0.1:6767), CAIRN_API_KEY, CAIRN_CONTAINER,
or what "cairn login" has kept.

${Object.entries({ ...clientCommands, import: importFrom })
	.map(([name, { words, meaning, options }]) => `cairn ${`${name} ${words}`.trimEnd()}\n      ${meaning}\n${optionLines(options)}`)
	.join("")}  with each of them
${optionLines(commonOptions)}
In a clone "cairn" is "npm start --", as in: npm start -- models list
`;

export function helpText(): string {
	const settings = [...Object.values(definitions), ...builtinDefinitions].map((definition) => settingLines(definition));
	return `${commandLines}\nSettings, as flags or in the environment, with their defaults (docs/configuration.md):\n\n${settings.join("")}`;
}

function optionLines(options: Readonly<Record<string, ClientOption>>): string {
	return Object.entries(options)
		.map(([name, { value = "", meaning }]) => `      ${`--${name} ${value}`.padEnd(20)} ${meaning}\n`)
		.join("");
}

function settingLines({ env, flag, fallback, meaning }: Pick<Definition<unknown>, "env" | "flag" | "fallback" | "meaning">): string {
	return `  --${flag.padEnd(38)} ${env}\n      ${meaning}${defaultOf(fallback)}\n`;
}

/** Empty where the default is computed or absent, which the meaning mentions. */
function defaultOf(fallback: unknown): string {
	if (typeof fallback === "number") return ` (${fallback})`;
	if (typeof fallback !== "string") return "";
	// The one path among them is a folder of the working folder.
	return ` (${fallback.startsWith("/") ? `./${relative(process.cwd(), fallback)}` : fallback})`;
}

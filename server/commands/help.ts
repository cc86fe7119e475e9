/** `cairn help` prints every command and every setting. The settings and client commands come from their definitions. */

import { relative } from "node:path";
import type { Definition } from "../settings/definition.ts";
import { definitions } from "../settings/definitions.ts";
import { builtinDefinitions } from "../settings/plugin-settings.ts";
import { type ClientCommand, type ClientOption, commonOptions } from "./client/client-command.ts";
import { importFrom } from "./client/import-from.ts";
import { clientCommands } from "./client/index.ts";

const clients: Readonly<Record<string, ClientCommand>> = { ...clientCommands, import: importFrom };

const ownCommandLines = `cairn                        starts the server; in a clone: npm start
cairn eval FOLDER…           measures the quality of search; "cairn eval" alone shows its options
cairn models list            lists the known local models, and those that are installed
cairn models pull NAME…      downloads models; "update" after the names takes newer versions
cairn models verify [NAME…]  checks that their files are unchanged since the download
cairn models remove NAME     removes one
cairn embedder [use NAME]    shows which embedder searches use; changes it while the server runs
cairn backup FILE.tar        copies the data folder into one file, even while a server runs; --json prints the result as JSON
cairn backup FOLDER          adds an incremental backup to a folder; --keep N removes all but the newest N
cairn backup s3://BUCKET/…   the same in a bucket: one file if the name ends in .tar, otherwise incremental
cairn restore BACKUP         restores a backup into an empty data folder; of a folder or bucket the newest
cairn verify [BACKUP]        checks a backup, or the data folder, for damage
cairn export FILE            writes all data of an organisation into one JSON Lines file, even while a server runs; --organisation ID|NAME
                             names it, otherwise it is the first one
cairn import FILE            imports such a file into a data folder; --organisation ID|NAME as above
cairn erase CONTAINER|ID     deletes permanently; --prove searches all that remains for traces; --organisation ID|NAME as above
cairn erase --gone NAME…     deletes nothing: searches for names that were deleted before, and with --text FILE for each of its lines (- reads standard input)
cairn salvage FOLDER NEW     copies what is readable in a damaged data folder into a new one
cairn migrate-store --to postgres://…|FOLDER
                             moves everything to a database or a data folder, even while a server runs; --blobs s3://…|folder moves original files
cairn login [URL]            saves the URL of a server and an API key, which it asks for; "cairn logout" deletes them
cairn mcp                    serves tools for agents (Model Context Protocol) over standard input and output
cairn completion SHELL       prints a completion script for bash, zsh or fish
cairn help, cairn version    print this page, or the version
`;

const commandLines = `${ownCommandLines}
The following talk to a running server and read CAIRN_URL (http://127.0.0.1:6767), CAIRN_API_KEY and CAIRN_CONTAINER,
or what "cairn login" has saved.

${Object.entries(clients)
	.map(([name, command]) => clientCommandLines(name, command))
	.join("")}  options of each of them
${optionLines(commonOptions)}
"cairn COMMAND --help" prints what is said here about one of them.
In a clone "cairn" is "npm start --", as in: npm start -- models list
`;

export function helpText(): string {
	const settings = [...Object.values(definitions), ...builtinDefinitions].map((definition) => settingLines(definition));
	return `${commandLines}\nSettings, as flags or in the environment, with their defaults (docs/configuration.md):\n\n${settings.join("")}`;
}

/** What the page says about one command; all of it where it has no line for that command alone. */
export function helpOf(name: string): string {
	const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
	const lines = ownCommandLines.split("\n").filter((line) => line.startsWith(`cairn ${name} `));
	if (client === undefined) return lines.length === 0 ? helpText() : `${lines.join("\n")}\n`;
	return `${lines.map((line) => `${line}\n`).join("")}${clientCommandLines(name, client)}${optionLines(commonOptions)}`;
}

function clientCommandLines(name: string, { usage, description, options }: ClientCommand): string {
	return `cairn ${`${name} ${usage}`.trimEnd()}\n      ${description}\n${optionLines(options)}`;
}

function optionLines(options: Readonly<Record<string, ClientOption>>): string {
	return Object.entries(options)
		.map(([name, { value = "", description }]) => `      ${`--${name} ${value}`.padEnd(20)} ${description}\n`)
		.join("");
}

function settingLines({ env, flag, fallback, meaning }: Pick<Definition<unknown>, "env" | "flag" | "fallback" | "meaning">): string {
	return `  --${flag.padEnd(38)} ${env}\n      ${meaning}${defaultOf(fallback)}\n`;
}

/** The default in parentheses; empty if it is computed or absent, which the description of the setting mentions. */
function defaultOf(fallback: unknown): string {
	if (typeof fallback === "number") return ` (${fallback})`;
	if (typeof fallback !== "string") return "";
	// The only default that is a path is a folder inside the working directory.
	return ` (${fallback.startsWith("/") ? `./${relative(process.cwd(), fallback)}` : fallback})`;
}

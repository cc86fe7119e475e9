/** `cairn help`: every command and every setting, from the very list that settings are read by. */

import { relative } from "node:path";
import type { Definition } from "../settings/definition.ts";
import { definitions } from "../settings/definitions.ts";
import { builtinDefinitions } from "../settings/plugin-settings.ts";

const commandLines = `cairn                        starts the server; in a clone: npm start
cairn eval FOLDER…           measures how well search finds; "cairn eval" alone tells how
cairn models list            local models that are known, and those that are here
cairn models pull NAME…      fetches them; "update" behind the names takes newer ones
cairn models verify [NAME…]  compares them with what was fetched
cairn models remove NAME     removes one
cairn embedder [use NAME]    which embedder searches use; changes it while the server runs
cairn mcp                    tools for agents (Model Context Protocol) over standard input and output
cairn help, cairn version    this page; the version

In a clone "cairn" is "npm start --", as in: npm start -- models list
`;

export function helpText(): string {
	const settings = [...Object.values(definitions), ...builtinDefinitions].map((definition) => settingLines(definition));
	return `${commandLines}\nSettings, as flags or in the environment, with their defaults (docs/configuration.md):\n\n${settings.join("")}`;
}

function settingLines({ env, flag, fallback, meaning }: Pick<Definition<unknown>, "env" | "flag" | "fallback" | "meaning">): string {
	return `  --${flag.padEnd(38)} ${env}\n      ${meaning}${defaultOf(fallback)}\n`;
}

/** Nothing where the default is computed or absent: the meaning says so. */
function defaultOf(fallback: unknown): string {
	if (typeof fallback === "number") return ` (${fallback})`;
	if (typeof fallback !== "string") return "";
	// The one path among them is a folder of the working folder.
	return ` (${fallback.startsWith("/") ? `./${relative(process.cwd(), fallback)}` : fallback})`;
}

/** The message after the start of the server. Its commands can be pasted as they are. */

import type { ServerRole } from "./settings/settings.ts";

export interface Greeting {
	readonly role: ServerRole;
	readonly url: string;
	readonly dataDir: string;
	/** The key that was just created; null if it was shown before. */
	readonly newKey: string | null;
	readonly hasOperatorKey: boolean;
	/** A description of the language model; null when memories are extracted by rules. */
	readonly model: string | null;
	/** The provider behind the memory router; null for no router. */
	readonly provider: string | null;
}

export function greeting({ role, url, dataDir, newKey, hasOperatorKey, model, provider }: Greeting): string {
	const key = newKey ?? "$CAIRN_API_KEY";
	if (role === "worker") return workerGreeting(url, dataDir, model);
	return `
  Cairn listens on ${url}${role === "api" ? "\n  role             api: other servers work on the jobs" : ""}
  data folder      ${dataDir}
  API key          ${keyLine(newKey, hasOperatorKey)}
  language model   ${modelLine(model)}${provider === null ? "" : `\n  memory router    ${url}/v1 in front of ${provider}`}
  web console      ${url}/
  documentation    ${url}/docs
  Swagger UI       ${url}/swagger

  Add something:
    curl -s ${url}/v3/documents -H 'Authorization: Bearer ${quoted(key)}' -H 'Content-Type: application/json' -d '{"content":"Ada Lovelace wrote the first program in 1843."}'
  Find it:
    curl -s ${url}/v3/search -H 'Authorization: Bearer ${quoted(key)}' -H 'Content-Type: application/json' -d '{"q":"who wrote the first program?"}'

`.replaceAll(/'Authorization: Bearer (\$\w+)'/g, '"Authorization: Bearer $1"');
}

function workerGreeting(url: string, dataDir: string, model: string | null): string {
	return `
  Cairn works on jobs and answers ${url}/ready, /health and /metrics
  data folder      ${dataDir}
  language model   ${modelLine(model)}

`;
}

function modelLine(model: string | null): string {
	return model ?? "none: memories are extracted by rules (docs/models.md)";
}

function quoted(key: string): string {
	return key.replaceAll("'", String.raw`'\''`);
}

function keyLine(newKey: string | null, hasOperatorKey: boolean): string {
	if (newKey !== null) return `${newKey}\n                   shown this once: keep it (only its hash is stored)`;
	if (hasOperatorKey) return "the one in CAIRN_API_KEY";
	return "the one shown at the first start; lost it? start once with CAIRN_API_KEY set to a new one";
}

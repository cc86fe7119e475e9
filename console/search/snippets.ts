/** A search as code to paste: each needs the key in `CAIRN_API_KEY`, and none contains it. */

import type { SearchRequest } from "./query.ts";

export const languages = [
	{ id: "curl", label: "curl" },
	{ id: "typescript", label: "TypeScript" },
	{ id: "python", label: "Python" },
] as const;
export type Language = (typeof languages)[number]["id"];

export function snippet(language: Language, { path, body }: SearchRequest, origin: string): string {
	const address = `${origin}${path}`;
	if (language === "curl") return curl(address, body);
	return language === "typescript" ? typescript(address, body) : python(address, body);
}

/** In single quotes nothing is special to a shell but the quote itself. */
function curl(address: string, body: object): string {
	const quoted = JSON.stringify(body).replaceAll("'", `'\\''`);
	return [`curl -s ${address} \\`, '  -H "Authorization: Bearer $CAIRN_API_KEY" \\', "  -H 'Content-Type: application/json' \\", `  -d '${quoted}'`].join("\n");
}

function typescript(address: string, body: object): string {
	return `const response = await fetch(${JSON.stringify(address)}, {
  method: "POST",
  headers: { authorization: \`Bearer \${process.env.CAIRN_API_KEY}\`, "content-type": "application/json" },
  body: JSON.stringify(${indented(JSON.stringify(body, null, 2), "  ")}),
});
const { results } = await response.json();`;
}

/** With the standard library alone. */
function python(address: string, body: object): string {
	return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=json.dumps(${indented(pythonOf(body, ""), "    ")}).encode(),
    headers={"Authorization": "Bearer " + os.environ["CAIRN_API_KEY"], "Content-Type": "application/json"},
)
results = json.load(urllib.request.urlopen(request))["results"]`;
}

/** Its texts and numbers are those of JSON. */
function pythonOf(value: unknown, margin: string): string {
	const inner = `${margin}    `;
	if (value === true) return "True";
	if (value === false) return "False";
	if (value === null) return "None";
	if (Array.isArray(value)) return `[${value.map((one) => pythonOf(one, inner)).join(", ")}]`;
	if (typeof value !== "object") return JSON.stringify(value);
	const entries = Object.entries(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${pythonOf(one, inner)},\n`);
	return `{\n${entries.join("")}${margin}}`;
}

function indented(text: string, margin: string): string {
	return text.replaceAll("\n", `\n${margin}`);
}

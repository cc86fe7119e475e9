/** Reads the front matter of a Markdown file: the few fields that an extraction has. */

import type { About } from "cairn-memory";
import { isoDate } from "../text/iso-date.ts";

export interface FrontMatter {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** Who wrote it, and the day on which it came out. */
	readonly about: About;
	/** The text after the front matter. */
	readonly body: string;
}

/** No real front matter is longer. Without a second `---` in these lines it is ordinary text. */
const frontMatterLinesMax = 200;

/** Reads and removes the front matter. Only simple `key: value` lines are read. */
export function splitFrontMatter(text: string): FrontMatter {
	const fields = new Map<string, string>();
	const body = readFields(text, fields);
	const firstField = (...names: readonly string[]) => names.map((name) => fields.get(name)).find((value) => value !== undefined) ?? null;
	const author = firstField("author");
	const publishedAt = isoDate(firstField("date", "published", "pubdate", "created") ?? "");
	const about = { ...(author !== null && { author }), ...(publishedAt !== null && { publishedAt }) };
	return { title: firstField("title"), description: firstField("description", "summary"), language: firstField("lang", "language"), about, body };
}

/** Reads the fields into the map. @returns the text after the front matter */
function readFields(text: string, fields: Map<string, string>): string {
	if (!/^---[ \t]*\n/.test(text)) return text;
	const lines = text.split("\n", frontMatterLinesMax);
	const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
	const fieldLines = lines.slice(1, Math.max(end, 1));
	if (end < 0 || !fieldLines.some((line) => /^[\w-]+:/.test(line))) return text;
	for (const line of fieldLines) {
		const [, name = "", value = ""] = /^([\w-]+):\s+(\S.*)$/.exec(line) ?? [];
		if (name !== "") fields.set(name.toLowerCase(), unquote(value.trim()));
	}
	return text.slice(lines.slice(0, end + 1).join("\n").length + 1);
}

function unquote(value: string): string {
	return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/** The front matter of a Markdown file: the few fields that an extraction has. */

export interface FrontMatter {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** The text below it. */
	readonly body: string;
}

/** Longer than any real front matter; without a second `---` in these lines it is text. */
const frontMatterLinesMax = 200;

/** Only plain `key: value` lines are read. */
export function splitFrontMatter(text: string): FrontMatter {
	const facts = new Map<string, string>();
	const body = bodyBelow(text, facts);
	const fact = (...names: readonly string[]) => names.map((name) => facts.get(name)).find((value) => value !== undefined) ?? null;
	return { title: fact("title"), description: fact("description", "summary"), language: fact("lang", "language"), body };
}

function bodyBelow(text: string, facts: Map<string, string>): string {
	if (!/^---[ \t]*\n/.test(text)) return text;
	const lines = text.split("\n", frontMatterLinesMax);
	const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
	const inside = lines.slice(1, Math.max(end, 1));
	if (end < 0 || !inside.some((line) => /^[\w-]+:/.test(line))) return text;
	for (const line of inside) {
		const [, name = "", value = ""] = /^([\w-]+):\s+(\S.*)$/.exec(line) ?? [];
		if (name !== "") facts.set(name.toLowerCase(), unquoted(value.trim()));
	}
	return text.slice(lines.slice(0, end + 1).join("\n").length + 1);
}

function unquoted(value: string): string {
	return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

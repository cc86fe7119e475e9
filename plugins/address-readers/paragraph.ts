/** Splits the text of a post into paragraphs, as plain text and as Markdown with links. */

export interface Paragraph {
	readonly text: string;
	readonly markdown: string;
}

/** A link in plain text: the characters from `begin` up to `end` link to `url`. If `url` is null, these characters are removed. */
export interface TextLink {
	readonly begin: number;
	readonly end: number;
	readonly url: string | null;
	/** The text of the link, if it differs from the characters of the range. */
	readonly label?: string;
}

/** Splits plain text into paragraphs at empty lines, and adds the links. Overlapping links are ignored. */
export function paragraphsOfText(text: string, links: readonly TextLink[] = []): readonly Paragraph[] {
	const plain: string[] = [];
	const markdown: string[] = [];
	let offset = 0;
	for (const { begin, end, url, label = text.slice(begin, end) } of links.toSorted((a, b) => a.begin - b.begin)) {
		if (begin < offset || end > text.length || end <= begin) continue;
		const before = text.slice(offset, begin);
		plain.push(before, url === null ? "" : label);
		markdown.push(before, url === null ? "" : linkTo(url, label));
		offset = end;
	}
	plain.push(text.slice(offset));
	markdown.push(text.slice(offset));
	return paragraphsOf(plain.join(""), markdown.join(""));
}

/** Splits a text into paragraphs. Both forms of it, plain text and Markdown, are split at their empty lines. */
export function paragraphsOf(plain: string, markdown: string): readonly Paragraph[] {
	const texts = splitParagraphs(plain);
	const markdowns = splitParagraphs(markdown);
	const hasSameCount = texts.length === markdowns.length;
	return texts.map((text, i) => ({ text, markdown: hasSameCount ? (markdowns[i] ?? text) : text }));
}

/** A Markdown link. Brackets in the URL are escaped, since they would end the link too early; brackets in the text are removed. */
export function linkTo(url: string, text: string): string {
	const label = text.replace(/[[\]\n]/g, " ").trim();
	const parsed = URL.parse(url);
	if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:") || label === "") return text;
	return `[${label}](${parsed.href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

function splitParagraphs(text: string): readonly string[] {
	return text
		.replace(/\r\n?/g, "\n")
		.split(/\n[^\S\n]*\n/)
		.map((part) =>
			part
				.split("\n")
				.map((line) => line.replace(/[^\S\n]+/g, " ").trim())
				.join("\n")
				.trim()
				.toWellFormed(),
		)
		.filter((part) => part !== "");
}

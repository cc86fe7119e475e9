/** The text of a post as paragraphs, plain and as Markdown with links. */

export interface Paragraph {
	readonly text: string;
	readonly markdown: string;
}

/** A link within plain text: characters from `begin` up to `end` lead to `address`, or are left out where there is none. */
export interface TextLink {
	readonly begin: number;
	readonly end: number;
	readonly address: string | null;
	/** Replaces the characters of the range. */
	readonly words?: string;
}

/** Plain text as people type it: an empty line begins a paragraph. Links do not overlap. */
export function paragraphsOfText(text: string, links: readonly TextLink[] = []): readonly Paragraph[] {
	const plain: string[] = [];
	const marked: string[] = [];
	let at = 0;
	for (const { begin, end, address, words = text.slice(begin, end) } of links.toSorted((a, b) => a.begin - b.begin)) {
		if (begin < at || end > text.length || end <= begin) continue;
		const before = text.slice(at, begin);
		plain.push(before, address === null ? "" : words);
		marked.push(before, address === null ? "" : linkTo(address, words));
		at = end;
	}
	plain.push(text.slice(at));
	marked.push(text.slice(at));
	return paragraphsOf(plain.join(""), marked.join(""));
}

/** @param plain and @param marked are the same text, split at the same empty lines. */
export function paragraphsOf(plain: string, marked: string): readonly Paragraph[] {
	const texts = cut(plain);
	const markdowns = cut(marked);
	const fits = texts.length === markdowns.length;
	return texts.map((text, i) => ({ text, markdown: fits ? (markdowns[i] ?? text) : text }));
}

/** Brackets and blanks in an address would end the link too early; brackets in its words are left out. */
export function linkTo(address: string, words: string): string {
	const label = words.replace(/[[\]\n]/g, " ").trim();
	const url = URL.parse(address);
	if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || label === "") return words;
	return `[${label}](${url.href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

function cut(text: string): readonly string[] {
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

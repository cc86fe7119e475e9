/** Converts the limited HTML of posts (paragraphs, links, emphasis, code) to paragraphs, in one linear pass. */

import { linkTo, type Paragraph, paragraphsOf } from "./paragraph.ts";

const token = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|<!--[^<>]*-->|&(#?[a-z0-9]{1,31});|[^<&]+|[<&]/giy;
const blockTags: ReadonlySet<string> = new Set(["p", "div", "blockquote", "ul", "ol", "pre", "h1", "h2", "h3", "h4"]);
const marks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", code: "`" };
const skippedTags: ReadonlySet<string> = new Set(["script", "style"]);
const entities: Readonly<Record<string, string>> = {
	...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", mdash: "—", ndash: "–", hellip: "…" },
	...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", middot: "·", copy: "©", euro: "€", pound: "£", shy: "" },
};

/** The state of the conversion: the text in both forms, and what is open. */
interface Writer {
	readonly plain: string[];
	readonly markdown: string[];
	link: { readonly address: string; readonly words: string[] } | null;
	/** For each open `span`, whether it is hidden. Shortened links hide some of their text in such spans. */
	readonly spans: boolean[];
	/** The number of open spans that are hidden. */
	hiddenCount: number;
	/** The name of the open element whose text is skipped, such as `script`; null outside of such elements. */
	skippedTag: string | null;
}

export function paragraphsOfHtml(html: string): readonly Paragraph[] {
	const writer: Writer = { plain: [], markdown: [], link: null, spans: [], hiddenCount: 0, skippedTag: null };
	for (const [match, slash, name, attributes = "", entity] of html.matchAll(token)) {
		if (name !== undefined) readTag(name.toLowerCase(), slash === "/", attributes, writer);
		else if (entity !== undefined) write(decodeEntity(entity) ?? match, writer);
		else if (!match.startsWith("<!--")) write(match, writer);
	}
	closeLink(writer);
	return paragraphsOf(writer.plain.join(""), writer.markdown.join(""));
}

/** The plain text of HTML, such as a title with entities. */
export function htmlToText(html: string): string {
	return paragraphsOfHtml(html)
		.map(({ text }) => text)
		.join(" ");
}

export function decodeEntity(name: string): string | null {
	if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? null;
	const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
	return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : null;
}

function readTag(name: string, isEnd: boolean, attributes: string, writer: Writer): void {
	if (writer.skippedTag !== null) {
		if (isEnd && writer.skippedTag === name) writer.skippedTag = null;
		return;
	}
	if (!isEnd && skippedTags.has(name)) writer.skippedTag = name;
	else if (blockTags.has(name)) writeText("\n\n", writer);
	else if (name === "br") writeText("\n", writer);
	else if (name === "li" && !isEnd) writeText("\n- ", writer);
	else if (name === "a") readLink(isEnd, attributes, writer);
	else if (name === "span") readSpan(isEnd, attributes, writer);
	else if (marks[name] !== undefined && writer.link === null) writer.markdown.push(marks[name]);
}

function readLink(isEnd: boolean, attributes: string, writer: Writer): void {
	closeLink(writer);
	const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? [];
	const href = double ?? single;
	if (!isEnd && href !== undefined) writer.link = { address: decodeEntities(href), words: [] };
}

function readSpan(isEnd: boolean, attributes: string, writer: Writer): void {
	if (isEnd) {
		if (writer.spans.pop() === true) writer.hiddenCount -= 1;
		return;
	}
	const isHidden = /\bclass\s*=\s*["'][^"']*\binvisible\b/i.test(attributes);
	writer.spans.push(isHidden);
	if (isHidden) writer.hiddenCount += 1;
}

function write(text: string, writer: Writer): void {
	if (writer.skippedTag !== null || writer.hiddenCount > 0) return;
	if (writer.link !== null) writer.link.words.push(text);
	else writeText(text, writer);
}

function writeText(text: string, writer: Writer): void {
	closeLink(writer);
	writer.plain.push(text);
	writer.markdown.push(text);
}

function closeLink(writer: Writer): void {
	const { link } = writer;
	if (link === null) return;
	writer.link = null;
	const words = link.words.join("");
	writer.plain.push(words);
	writer.markdown.push(linkTo(link.address, words));
}

function decodeEntities(text: string): string {
	return text.replace(/&(#?[a-z0-9]{1,31});/gi, (match, name: string) => decodeEntity(name) ?? match);
}

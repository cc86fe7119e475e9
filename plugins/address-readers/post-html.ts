/** The limited HTML of posts (paragraphs, links, emphasis, code) → paragraphs. One linear pass. */

import { linkTo, type Paragraph, paragraphsOf } from "./paragraph.ts";

const token = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|<!--[^<>]*-->|&(#?[a-z0-9]{1,31});|[^<&]+|[<&]/giy;
const breaks: ReadonlySet<string> = new Set(["p", "div", "blockquote", "ul", "ol", "pre", "h1", "h2", "h3", "h4"]);
const marks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", code: "`" };
const silent: ReadonlySet<string> = new Set(["script", "style"]);
const entities: Readonly<Record<string, string>> = {
	...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", mdash: "—", ndash: "–", hellip: "…" },
	...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", bull: "•", middot: "·", copy: "©", euro: "€", pound: "£", shy: "" },
};

/** Writes the text in both forms. */
interface Writer {
	readonly plain: string[];
	readonly marked: string[];
	link: { readonly address: string; readonly words: string[] } | null;
	/** Open spans, each with whether it is hidden: shortened links hide parts this way. */
	readonly spans: boolean[];
	/** How many of them are hidden. */
	hidden: number;
	/** Elements whose text is not content. */
	skipping: string | null;
}

export function paragraphsOfHtml(html: string): readonly Paragraph[] {
	const writer: Writer = { plain: [], marked: [], link: null, spans: [], hidden: 0, skipping: null };
	for (const [all, slash, name, attributes = "", entity] of html.matchAll(token)) {
		if (name !== undefined) takeTag(name.toLowerCase(), slash === "/", attributes, writer);
		else if (entity !== undefined) write(entityOf(entity) ?? all, writer);
		else if (!all.startsWith("<!--")) write(all, writer);
	}
	closeLink(writer);
	return paragraphsOf(writer.plain.join(""), writer.marked.join(""));
}

/** Plain text, for titles with entities. */
export function plainOf(html: string): string {
	return paragraphsOfHtml(html)
		.map(({ text }) => text)
		.join(" ");
}

export function entityOf(name: string): string | null {
	if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? null;
	const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
	return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : null;
}

function takeTag(name: string, isEnd: boolean, attributes: string, writer: Writer): void {
	if (writer.skipping !== null) {
		if (isEnd && writer.skipping === name) writer.skipping = null;
		return;
	}
	if (!isEnd && silent.has(name)) writer.skipping = name;
	else if (breaks.has(name)) both("\n\n", writer);
	else if (name === "br") both("\n", writer);
	else if (name === "li" && !isEnd) both("\n- ", writer);
	else if (name === "a") takeLink(isEnd, attributes, writer);
	else if (name === "span") takeSpan(isEnd, attributes, writer);
	else if (marks[name] !== undefined && writer.link === null) writer.marked.push(marks[name]);
}

function takeLink(isEnd: boolean, attributes: string, writer: Writer): void {
	closeLink(writer);
	const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? [];
	const href = double ?? single;
	if (!isEnd && href !== undefined) writer.link = { address: plainEntities(href), words: [] };
}

function takeSpan(isEnd: boolean, attributes: string, writer: Writer): void {
	if (isEnd) {
		if (writer.spans.pop() === true) writer.hidden -= 1;
		return;
	}
	const isHidden = /\bclass\s*=\s*["'][^"']*\binvisible\b/i.test(attributes);
	writer.spans.push(isHidden);
	if (isHidden) writer.hidden += 1;
}

function write(text: string, writer: Writer): void {
	if (writer.skipping !== null || writer.hidden > 0) return;
	if (writer.link !== null) writer.link.words.push(text);
	else both(text, writer);
}

function both(text: string, writer: Writer): void {
	closeLink(writer);
	writer.plain.push(text);
	writer.marked.push(text);
}

function closeLink(writer: Writer): void {
	const { link } = writer;
	if (link === null) return;
	writer.link = null;
	const words = link.words.join("");
	writer.plain.push(words);
	writer.marked.push(linkTo(link.address, words));
}

function plainEntities(text: string): string {
	return text.replace(/&(#?[a-z0-9]{1,31});/gi, (all, name: string) => entityOf(name) ?? all);
}

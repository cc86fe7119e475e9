/** Inline HTML → plain text, and Markdown with links and emphasis. */

import type { Element } from "hast";
import { formulaMarkdown } from "../blocks/formula.ts";
import { type Script, scriptedText } from "../blocks/scripted-text.ts";
import { readMathMl } from "../math/mathml.ts";
import { texToText } from "../math/tex.ts";
import { xmlOfHtml } from "./html-formulas.ts";
import { numbersOf } from "./html-list.ts";
import { attribute, blockTags, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";

export interface Inline {
	readonly text: string;
	readonly markdown: string;
}

export function inlineOf(nodes: readonly Node[], base: string | null): Inline {
	const { text, markdown } = joined(nodes, base);
	return { text: tidy(text), markdown: tidy(markdown) };
}

function joined(nodes: readonly Node[], base: string | null): Inline {
	const parts = unitedMarks(nodes).map((node) => inlineNode(node, base));
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

const marks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~" };

/** Joins adjacent emphasis elements, which editors leave: apart they would become `**V****odafone**`. */
function unitedMarks(nodes: readonly Node[]): readonly Node[] {
	const groups: (readonly [Node, ...Node[]])[] = [];
	let open: [Node, ...Node[]] | null = null;
	for (const node of nodes) {
		if (open !== null && markOf(node) !== "" && markOf(node) === markOf(open[0])) open.push(node);
		else {
			open = [node];
			groups.push(open);
		}
	}
	return groups.map((group) => {
		const [first] = group;
		return group.length === 1 || !isElement(first) ? first : { ...first, children: group.flatMap((node) => (isElement(node) ? node.children : [])) };
	});
}

function markOf(node: Node): string {
	return isElement(node) ? (marks[node.tagName] ?? "") : "";
}

function inlineNode(node: Node, base: string | null): Inline {
	if (node.type === "text") return written(node.value.replace(/\s+/g, " ").replaceAll("\u00ad", ""));
	if (!isElement(node)) return same("");
	switch (node.tagName) {
		case "br":
			return same("\n");
		case "wbr":
			return same("");
		case "img":
		case "amp-img":
			return pictured(node, base);
		case "math":
			return formulaOf(node);
		case "tr":
			return apart(joined(node.children, base));
		case "td":
		case "th":
			return beside(joined(node.children, base));
		case "ol":
			return apart(numbered(node, base));
		case "sup":
			return scripted(joined(node.children, base), "above");
		case "sub":
			return scripted(joined(node.children, base), "below");
		case "ruby":
			return explained(node, base);
		case "q":
			return wrapped(joined(node.children, base), '"', '"');
		case "a":
			return isPermalink(node) ? same("") : linked(joined(node.children, base), addressOf(attribute(node, "href"), base));
		case "strong":
		case "b":
		case "em":
		case "i":
		case "del":
		case "s":
			return wrapped(joined(node.children, base), marks[node.tagName] ?? "", marks[node.tagName] ?? "");
		case "code":
		case "kbd":
		case "samp":
			return wrapped(same(verbatim(node)), "`", "`");
		default:
			return blockTags.has(node.tagName) ? apart(joined(node.children, base)) : joined(node.children, base);
	}
}

/** A list in inline content, such as a table cell. */
function numbered(list: Element, base: string | null): Inline {
	const numbers = numbersOf(list);
	const parts = list.children.map((child) => {
		const number = isElement(child) ? numbers.get(child) : undefined;
		const { text, markdown } = number === undefined ? inlineNode(child, base) : joined((child as Element).children, base);
		return number === undefined ? { text, markdown } : apart({ text: `${number} ${text.trimStart()}`, markdown: `${number} ${markdown.trimStart()}` });
	});
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

function formulaOf(math: Element): Inline {
	const formula = readMathMl(xmlOfHtml(math));
	return formula === null ? same("") : { text: formula.text, markdown: formulaMarkdown(formula) };
}

/** LaTeX between delimiters, which a script of the page would render. Longer matches are coincidence. */
const delimited = /\\\(((?:(?!\\[()]).){1,2000})\\\)|\\\[((?:(?!\\[[\]]).){1,2000})\\\]/g;

function written(text: string): Inline {
	if (!text.includes("\\(") && !text.includes("\\[")) return same(text);
	return {
		text: text.replace(delimited, (_, inline?: string, display?: string) => texToText(inline ?? display ?? "")),
		markdown: text.replace(delimited, (_, inline?: string, display?: string) => (inline === undefined ? `$$${display?.trim()}$$` : `$${inline.trim()}$`)),
	};
}

/** A superscript with a link, such as a footnote mark, is left as it is. */
function scripted(inline: Inline, script: Script): Inline {
	return inline.text === inline.markdown ? same(scriptedText(inline.text, script)) : inline;
}

/** Puts ruby annotations behind the whole word, which they would interrupt. */
function explained(ruby: Element, base: string | null): Inline {
	const isReading = (node: Node) => isElement(node) && (node.tagName === "rt" || node.tagName === "rtc");
	const word = joined(
		ruby.children.filter((node) => !isReading(node) && !(isElement(node) && node.tagName === "rp")),
		base,
	);
	const reading = joined(ruby.children.filter(isReading), base).text.trim();
	const behind = reading === "" ? "" : `(${reading})`;
	return { text: word.text.trim() + behind, markdown: word.markdown.trim() + behind };
}

/** A heading's link to itself, such as `#` or `¶`. */
function isPermalink(link: Element): boolean {
	return (attribute(link, "href") ?? "").startsWith("#") && !/[\p{L}\p{N}]/u.test(wordsOf([link])) && findAll([link], "img", "math").length === 0;
}

/** No formatting inside of code. */
function verbatim(node: Node): string {
	if (node.type === "text") return node.value.replace(/\s+/g, " ");
	if (!isElement(node)) return "";
	if (node.tagName === "img") return attribute(node, "alt") ?? "";
	return node.tagName === "br" ? "\n" : node.children.map(verbatim).join("");
}

function same(text: string): Inline {
	return { text, markdown: text };
}

/** A cell of a nested table. */
function beside({ text, markdown }: Inline): Inline {
	return { text: ` ${text} `, markdown: ` ${markdown} ` };
}

/** A block in inline content, such as a table cell, goes on a line of its own. */
function apart({ text, markdown }: Inline): Inline {
	return { text: `\n${text}\n`, markdown: `\n${markdown}\n` };
}

/** Moves blanks out of the formatting: `<b>bold </b>text` becomes `**bold** text`. */
function wrapped({ text, markdown }: Inline, before: string, after: string): Inline {
	const words = markdown.trim();
	if (words === "" || words.includes("\n")) return { text, markdown };
	const start = markdown.indexOf(words);
	return { text, markdown: `${markdown.slice(0, start)}${before}${words}${after}${markdown.slice(start + words.length)}` };
}

function linked(inline: Inline, address: string | null): Inline {
	return address === null ? inline : wrapped(inline, "[", `](${address})`);
}

function pictured(element: Element, base: string | null): Inline {
	const alt = (attribute(element, "alt") ?? "").replace(/\s+/g, " ").trim();
	const address = addressOf(attribute(element, "src"), base) ?? addressOf(attribute(element, "dataSrc"), base);
	return { text: alt, markdown: address === null || alt === "" ? alt : `![${alt}](${address})` };
}

/** The absolute address; null for scripts, data URLs and anchors within the page. */
function addressOf(written: string | null, base: string | null): string | null {
	const address = written?.trim() ?? "";
	if (address === "" || address.startsWith("#") || /^(?:javascript|data|blob|vbscript):/i.test(address)) return null;
	const resolved = base === null ? null : URL.parse(address, base);
	return (resolved?.href ?? address)
		.replace(/[\s()<>]/g, encodeURIComponent)
		.replaceAll("(", "%28")
		.replaceAll(")", "%29");
}

function tidy(text: string): string {
	return text
		.replace(/[^\S\n]+/g, " ")
		.replace(/ ?\n ?/g, "\n")
		.replace(/\n{2,}/g, "\n")
		.trim();
}

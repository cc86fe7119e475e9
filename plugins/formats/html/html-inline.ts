/** Converts inline HTML to plain text, and to Markdown with links and emphasis. */

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
	const { text, markdown } = inlineNodes(nodes, base);
	return { text: cleanWhitespace(text), markdown: cleanWhitespace(markdown) };
}

function inlineNodes(nodes: readonly Node[], base: string | null): Inline {
	const parts = joinEmphasis(nodes).map((node) => inlineNode(node, base));
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

const emphasisMarks: Readonly<Record<string, string>> = { strong: "**", b: "**", em: "*", i: "*", del: "~~", s: "~~" };

/** Joins adjacent emphasis elements, which some editors write: separately they would become `**V****odafone**`. */
function joinEmphasis(nodes: readonly Node[]): readonly Node[] {
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
	return isElement(node) ? (emphasisMarks[node.tagName] ?? "") : "";
}

function inlineNode(node: Node, base: string | null): Inline {
	if (node.type === "text") return withTexFormulas(node.value.replace(/\s+/g, " ").replaceAll("\u00ad", ""));
	if (!isElement(node)) return plain("");
	switch (node.tagName) {
		case "br":
			return plain("\n");
		case "wbr":
			return plain("");
		case "img":
		case "amp-img":
			return imageText(node, base);
		case "math":
			return formulaOf(node);
		case "tr":
			return onOwnLine(inlineNodes(node.children, base));
		case "td":
		case "th":
			return betweenSpaces(inlineNodes(node.children, base));
		case "ol":
			return onOwnLine(numberedList(node, base));
		case "sup":
			return withScript(inlineNodes(node.children, base), "above");
		case "sub":
			return withScript(inlineNodes(node.children, base), "below");
		case "ruby":
			return withRubyAnnotation(node, base);
		case "q":
			return wrap(inlineNodes(node.children, base), '"', '"');
		case "a":
			return isPermalink(node) ? plain("") : withLink(inlineNodes(node.children, base), absoluteUrl(attribute(node, "href"), base));
		case "strong":
		case "b":
		case "em":
		case "i":
		case "del":
		case "s":
			return wrap(inlineNodes(node.children, base), emphasisMarks[node.tagName] ?? "", emphasisMarks[node.tagName] ?? "");
		case "code":
		case "kbd":
		case "samp":
			return wrap(plain(codeText(node)), "`", "`");
		default:
			return blockTags.has(node.tagName) ? onOwnLine(inlineNodes(node.children, base)) : inlineNodes(node.children, base);
	}
}

/** A numbered list in inline content, such as a table cell. */
function numberedList(list: Element, base: string | null): Inline {
	const numbers = numbersOf(list);
	const parts = list.children.map((child) => {
		const number = isElement(child) ? numbers.get(child) : undefined;
		const { text, markdown } = number === undefined ? inlineNode(child, base) : inlineNodes((child as Element).children, base);
		return number === undefined ? { text, markdown } : onOwnLine({ text: `${number} ${text.trimStart()}`, markdown: `${number} ${markdown.trimStart()}` });
	});
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

function formulaOf(math: Element): Inline {
	const formula = readMathMl(xmlOfHtml(math));
	return formula === null ? plain("") : { text: formula.text, markdown: formulaMarkdown(formula) };
}

/** LaTeX between delimiters, which a script of the page would render. Longer text between such delimiters is not a formula. */
const texFormula = /\\\(((?:(?!\\[()]).){1,2000})\\\)|\\\[((?:(?!\\[[\]]).){1,2000})\\\]/g;

function withTexFormulas(text: string): Inline {
	if (!text.includes("\\(") && !text.includes("\\[")) return plain(text);
	return {
		text: text.replace(texFormula, (_, inline?: string, display?: string) => texToText(inline ?? display ?? "")),
		markdown: text.replace(texFormula, (_, inline?: string, display?: string) => (inline === undefined ? `$$${display?.trim()}$$` : `$${inline.trim()}$`)),
	};
}

/** Converts a superscript or subscript. One with a link, such as a footnote mark, is returned unchanged. */
function withScript(inline: Inline, script: Script): Inline {
	return inline.text === inline.markdown ? plain(scriptedText(inline.text, script)) : inline;
}

/** Puts the ruby annotations in parentheses after the whole word, which they would interrupt. */
function withRubyAnnotation(ruby: Element, base: string | null): Inline {
	const isAnnotation = (node: Node) => isElement(node) && (node.tagName === "rt" || node.tagName === "rtc");
	const word = inlineNodes(
		ruby.children.filter((node) => !isAnnotation(node) && !(isElement(node) && node.tagName === "rp")),
		base,
	);
	const annotation = inlineNodes(ruby.children.filter(isAnnotation), base).text.trim();
	const suffix = annotation === "" ? "" : `(${annotation})`;
	return { text: word.text.trim() + suffix, markdown: word.markdown.trim() + suffix };
}

/** Whether a link is a heading's link to itself, such as `#` or `¶`. */
function isPermalink(link: Element): boolean {
	return (attribute(link, "href") ?? "").startsWith("#") && !/[\p{L}\p{N}]/u.test(wordsOf([link])) && findAll([link], "img", "math").length === 0;
}

/** The text of code, without formatting. */
function codeText(node: Node): string {
	if (node.type === "text") return node.value.replace(/\s+/g, " ");
	if (!isElement(node)) return "";
	if (node.tagName === "img") return attribute(node, "alt") ?? "";
	return node.tagName === "br" ? "\n" : node.children.map(codeText).join("");
}

function plain(text: string): Inline {
	return { text, markdown: text };
}

/** Puts spaces around a cell of a nested table. */
function betweenSpaces({ text, markdown }: Inline): Inline {
	return { text: ` ${text} `, markdown: ` ${markdown} ` };
}

/** Puts a block in inline content, such as a table cell, on a line of its own. */
function onOwnLine({ text, markdown }: Inline): Inline {
	return { text: `\n${text}\n`, markdown: `\n${markdown}\n` };
}

/** Puts formatting marks around the Markdown, inside its outer spaces: `<b>bold </b>text` becomes `**bold** text`. */
function wrap({ text, markdown }: Inline, before: string, after: string): Inline {
	const words = markdown.trim();
	if (words === "" || words.includes("\n")) return { text, markdown };
	const start = markdown.indexOf(words);
	return { text, markdown: `${markdown.slice(0, start)}${before}${words}${after}${markdown.slice(start + words.length)}` };
}

function withLink(inline: Inline, url: string | null): Inline {
	return url === null ? inline : wrap(inline, "[", `](${url})`);
}

function imageText(element: Element, base: string | null): Inline {
	const alt = (attribute(element, "alt") ?? "").replace(/\s+/g, " ").trim();
	const url = absoluteUrl(attribute(element, "src"), base) ?? absoluteUrl(attribute(element, "dataSrc"), base);
	return { text: alt, markdown: url === null || alt === "" ? alt : `![${alt}](${url})` };
}

/** The absolute URL; null for scripts, data URLs and anchors within the page. */
function absoluteUrl(raw: string | null, base: string | null): string | null {
	const url = raw?.trim() ?? "";
	if (url === "" || url.startsWith("#") || /^(?:javascript|data|blob|vbscript):/i.test(url)) return null;
	const resolved = base === null ? null : URL.parse(url, base);
	return (resolved?.href ?? url)
		.replace(/[\s()<>]/g, encodeURIComponent)
		.replaceAll("(", "%28")
		.replaceAll(")", "%29");
}

function cleanWhitespace(text: string): string {
	return text
		.replace(/[^\S\n]+/g, " ")
		.replace(/ ?\n ?/g, "\n")
		.replace(/\n{2,}/g, "\n")
		.trim();
}

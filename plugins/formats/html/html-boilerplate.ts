/** Removes the boilerplate of a page: menus, banners, scripts, hidden elements. */

import type { Element, ElementContent, Root } from "hast";
import { articleIn } from "./html-article.ts";
import { unifyFormulas } from "./html-formulas.ts";
import { articleBodyOf } from "./html-linked-data.ts";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";
import { unfold } from "./html-unfold.ts";

/** Elements whose text a browser does not show as text of the page. */
const neverShown = new Set(
	"script style template noscript iframe frame object embed svg canvas audio video map link meta title base input button select option textarea datalist progress meter".split(
		" ",
	),
);
/** Elements that are boilerplate if they are outside of the main content. */
const framingTags = new Set(["header", "footer", "aside"]);
const contentTags = new Set(["main", "article"]);
/** Elements that may have a header or footer of their own, which is not that of the page. */
const ownerTags = new Set(["blockquote", "figure", "td", "th", "li", "details", "dialog"]);
const framingRoles = new Set(["navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar", "dialog", "alertdialog"]);

/** A single element is used as the content if it has this share of the page's text, or at least this number of characters. */
const contentShareMin = 0.25;
const contentCharactersMin = 1_000;
/** A single `article` with a smaller share of the text may be only a part of the content. */
const articleShareMin = 0.4;

/**
 * The main content of the page. It is empty only if the page is empty.
 * @param isArticle whether the page says that it is an article; then what surrounds the article is left out too
 */
export function contentOfPage(root: Root, isArticle: boolean): readonly Node[] {
	const nodes = unifyFormulas(root.children);
	const cleaned = prune(nodes, (element, isInsideContent) => isInvisible(element) || isBoilerplate(element, isInsideContent), false);
	const characters = wordsOf(cleaned).length;
	if (characters < shellCharactersMax) return contentOfShell(root, nodes, cleaned);
	const inner = innerContent(cleaned, characters);
	const content = inner === null ? cleaned : [...missingHeading(cleaned, inner), inner];
	return isArticle ? articleIn(content) : content;
}

/** A page with less text may be the shell of a single-page application. */
const shellCharactersMax = 300;

/** The content in `noscript` or linked data, if it has much more text than the page itself. */
function contentOfShell(root: Root, nodes: readonly Node[], cleaned: readonly Node[]): readonly Node[] {
	const characters = wordsOf(cleaned).length;
	const withNoscript = prune(nodes, (element, isInside) => element.tagName !== "noscript" && (isInvisible(element) || isBoilerplate(element, isInside)), false);
	if (wordsOf(withNoscript).length > Math.max(characters * 3, shellCharactersMax)) return withNoscript;
	const body = articleBodyOf(findAll(root.children, "script"));
	if (body.length > Math.max(characters * 3, shellCharactersMax)) return [...cleaned, ...body.split(/\n\s*\n/).map(paragraph)];
	return characters === 0 ? prune(nodes, isInvisible, false) : cleaned;
}

function paragraph(value: string): Element {
	return { type: "element", tagName: "p", properties: {}, children: [{ type: "text", value }] };
}

/** All visible content, including asides and footers, for example of a book's chapter or of a mail. */
export function visibleContent(nodes: readonly Node[]): readonly Node[] {
	return prune(unifyFormulas(nodes), isInvisible, false);
}

function innerContent(nodes: readonly Node[], characters: number): Element | null {
	const mains = findAll(nodes, "main");
	const mainElements = mains.length > 0 ? mains : withRole(nodes, "main");
	const articles = findAll(nodes, "article");
	for (const candidates of [mainElements, articles]) {
		const [single] = candidates;
		if (candidates.length !== 1 || single === undefined) continue;
		const characterCount = wordsOf(single.children).length;
		const isEnough = characterCount >= contentCharactersMin || characterCount >= characters * contentShareMin;
		if (isEnough && (single.tagName !== "article" || characterCount >= characters * articleShareMin)) return single;
	}
	return null;
}

/** The page's main heading with its subtitle, if it is in a banner outside of the content. */
function missingHeading(nodes: readonly Node[], inner: Element): readonly Element[] {
	const headings = findAll(nodes, "h1");
	if (headings.length !== 1 || findAll([inner], "h1").length > 0) return [];
	const group = findAll(nodes, "hgroup").find(({ children }) => findAll(children, "h1").length > 0);
	return group === undefined ? headings : [group];
}

function withRole(nodes: readonly Node[], role: string): readonly Element[] {
	const found: Element[] = [];
	const visit = (children: readonly Node[]) => {
		for (const node of children) {
			if (!isElement(node)) continue;
			if (attribute(node, "role") === role) found.push(node);
			else visit(node.children);
		}
	};
	visit(nodes);
	return found;
}

type IsRemoved = (element: Element, isInsideContent: boolean) => boolean;

function prune(nodes: readonly Node[], isRemoved: IsRemoved, isInsideContent: boolean): readonly ElementContent[] {
	const result: ElementContent[] = [];
	for (const original of nodes) {
		if (original.type === "text") result.push(original);
		if (!isElement(original)) continue;
		const node = unfold(original);
		const isInside = isInsideContent || contentTags.has(node.tagName) || ownerTags.has(node.tagName) || attribute(node, "role") === "main";
		if (isRemoved(node, isInsideContent)) result.push(...headingOf(node));
		else result.push({ ...node, children: [...prune(node.children, isRemoved, isInside)] });
	}
	return result;
}

/** What is kept of a removed banner: its main heading and the paragraphs beside it, if it has a main heading. */
function headingOf(element: Element): readonly Element[] {
	if (element.tagName !== "header" || findAll(element.children, "h1").length === 0) return [];
	return [{ ...element, tagName: "hgroup", children: [...findAll(prune(element.children, isMenu, false), "h1", "p")] }];
}

function isMenu(element: Element): boolean {
	return isInvisible(element) || element.tagName === "nav" || framingRoles.has(attribute(element, "role") ?? "");
}

function isInvisible(element: Element): boolean {
	if (neverShown.has(element.tagName) || attribute(element, "ariaHidden") === "true") return true;
	if (isHidden(element)) return true;
	if (element.tagName === "dialog" && attribute(element, "open") === null) return true;
	return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, "style") ?? "");
}

/** Whether the element is hidden. Content with `until-found` and inactive tabs can be shown by the reader, and do not count as hidden. */
function isHidden(element: Element): boolean {
	const hidden = element.properties["hidden"];
	if (hidden === undefined || hidden === false || hidden === null) return false;
	return hidden !== "until-found" && attribute(element, "role") !== "tabpanel";
}

function isBoilerplate(element: Element, isInsideContent: boolean): boolean {
	if (element.tagName === "nav" || framingRoles.has(attribute(element, "role") ?? "")) return true;
	return framingTags.has(element.tagName) && !isInsideContent;
}

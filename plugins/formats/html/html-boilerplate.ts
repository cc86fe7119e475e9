/** Boilerplate of a page: menus, banners, scripts, hidden elements. */

import type { Element, ElementContent, Root } from "hast";
import { withPlainFormulas } from "./html-formulas.ts";
import { articleBodyOf } from "./html-linked-data.ts";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";
import { unfolded } from "./html-unfold.ts";

/** Elements whose text is never shown. */
const silent = new Set(
	"script style template noscript iframe frame object embed svg canvas audio video map link meta title base input button select option textarea datalist progress meter".split(
		" ",
	),
);
/** Boilerplate when outside of the main content. */
const framing = new Set(["header", "footer", "aside"]);
const content = new Set(["main", "article"]);
/** A header or footer inside of these belongs to them, not to the page. */
const holders = new Set(["blockquote", "figure", "td", "th", "li", "details", "dialog"]);
const framingRoles = new Set(["navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar", "dialog", "alertdialog"]);

/** A part counts as the whole content when it has this share of the page's text, or enough text in any case. */
const contentShareMin = 0.25;
const contentCharactersMin = 1_000;
/** A single article with a smaller share may be only part of the content. */
const articleShareMin = 0.4;

/** The main content of the page. Empty only if the page is. */
export function contentOfPage(root: Root): readonly Node[] {
	const nodes = withPlainFormulas(root.children);
	const cleared = pruned(nodes, (element, isInsideContent) => isSilent(element) || isBoilerplate(element, isInsideContent), false);
	const words = wordsOf(cleared).length;
	if (words < shellCharactersMax) return contentOfShell(root, nodes, cleared);
	const inner = innerContent(cleared, words);
	return inner === null ? cleared : [...missingHeading(cleared, inner), inner];
}

/** A page with less text may be the shell of a single-page application. */
const shellCharactersMax = 300;

/** The content in `noscript` or linked data, where that is much more. */
function contentOfShell(root: Root, nodes: readonly Node[], cleared: readonly Node[]): readonly Node[] {
	const said = wordsOf(cleared).length;
	const forAll = pruned(nodes, (element, isInside) => element.tagName !== "noscript" && (isSilent(element) || isBoilerplate(element, isInside)), false);
	if (wordsOf(forAll).length > Math.max(said * 3, shellCharactersMax)) return forAll;
	const body = articleBodyOf(findAll(root.children, "script"));
	if (body.length > Math.max(said * 3, shellCharactersMax)) return [...cleared, ...body.split(/\n\s*\n/).map(paragraph)];
	return said === 0 ? pruned(nodes, isSilent, false) : cleared;
}

function paragraph(value: string): Element {
	return { type: "element", tagName: "p", properties: {}, children: [{ type: "text", value }] };
}

/** All visible content, with asides and footers: for chapters of books. */
export function withoutSilent(nodes: readonly Node[]): readonly Node[] {
	return pruned(withPlainFormulas(nodes), isSilent, false);
}

function innerContent(nodes: readonly Node[], words: number): Element | null {
	const mains = findAll(nodes, "main");
	const marked = mains.length > 0 ? mains : withRole(nodes, "main");
	const articles = findAll(nodes, "article");
	for (const candidates of [marked, articles]) {
		const [only] = candidates;
		if (candidates.length !== 1 || only === undefined) continue;
		const inside = wordsOf(only.children).length;
		const isEnough = inside >= contentCharactersMin || inside >= words * contentShareMin;
		if (isEnough && (only.tagName !== "article" || inside >= words * articleShareMin)) return only;
	}
	return null;
}

/** The page's main heading when it is in a banner outside of the content, with its subtitle. */
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

type Refusal = (element: Element, isInsideContent: boolean) => boolean;

function pruned(nodes: readonly Node[], refuses: Refusal, isInsideContent: boolean): readonly ElementContent[] {
	const kept: ElementContent[] = [];
	for (const folded of nodes) {
		if (folded.type === "text") kept.push(folded);
		if (!isElement(folded)) continue;
		const node = unfolded(folded);
		const inside = isInsideContent || content.has(node.tagName) || holders.has(node.tagName) || attribute(node, "role") === "main";
		if (refuses(node, isInsideContent)) kept.push(...keptHeading(node));
		else kept.push({ ...node, children: [...pruned(node.children, refuses, inside)] });
	}
	return kept;
}

/** Of a banner outside of the content the heading and the paragraphs beside it are kept. */
function keptHeading(element: Element): readonly Element[] {
	if (element.tagName !== "header" || findAll(element.children, "h1").length === 0) return [];
	return [{ ...element, tagName: "hgroup", children: [...findAll(pruned(element.children, isMenu, false), "h1", "p")] }];
}

function isMenu(element: Element): boolean {
	return isSilent(element) || element.tagName === "nav" || framingRoles.has(attribute(element, "role") ?? "");
}

function isSilent(element: Element): boolean {
	if (silent.has(element.tagName) || attribute(element, "ariaHidden") === "true") return true;
	if (isHidden(element)) return true;
	if (element.tagName === "dialog" && attribute(element, "open") === null) return true;
	return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, "style") ?? "");
}

/** `until-found` and inactive tabs do not count as hidden. */
function isHidden(element: Element): boolean {
	const hidden = element.properties["hidden"];
	if (hidden === undefined || hidden === false || hidden === null) return false;
	return hidden !== "until-found" && attribute(element, "role") !== "tabpanel";
}

function isBoilerplate(element: Element, isInsideContent: boolean): boolean {
	if (element.tagName === "nav" || framingRoles.has(attribute(element, "role") ?? "")) return true;
	return framing.has(element.tagName) && !isInsideContent;
}

/** What a page is furnished with and nobody reads it for: menus, banners, scripts, what is hidden. */

import type { Element, ElementContent, Root } from "hast";
import { withPlainFormulas } from "./html-formulas.ts";
import { attribute, findAll, isElement, type Node, wordsOf } from "./html-markup.ts";

/** Never words of the page. */
const silent = new Set(
	"script style template noscript iframe frame object embed svg canvas audio video map link meta title base input button select option textarea datalist progress meter".split(
		" ",
	),
);
/** Frame the page when they stand outside its content. */
const framing = new Set(["header", "footer", "aside"]);
const content = new Set(["main", "article"]);
const framingRoles = new Set(["navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar", "dialog", "alertdialog"]);

/** The share of the page's words that one part must hold to be taken for the whole content, and the words that are enough in any case. */
const contentShareMin = 0.25;
const contentCharactersMin = 1_000;

/** The part of the page people come for. Empty only if the page is. */
export function contentOfPage(root: Root): readonly Node[] {
	const nodes = withPlainFormulas(root.children);
	const cleared = pruned(nodes, (element, isInsideContent) => isSilent(element) || isFurniture(element, isInsideContent), false);
	const words = wordsOf(cleared).length;
	if (words === 0) return pruned(nodes, isSilent, false);
	const inner = innerContent(cleared, words);
	return inner === null ? cleared : [...missingHeading(cleared, inner), inner];
}

/** Everything a reader can see, with its frame: for chapters of books, where an aside is part of the text. */
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
		if (inside >= contentCharactersMin || inside >= words * contentShareMin) return only;
	}
	return null;
}

/** A page often keeps its one main heading in the banner above its content. */
function missingHeading(nodes: readonly Node[], inner: Element): readonly Element[] {
	const headings = findAll(nodes, "h1");
	return headings.length === 1 && findAll([inner], "h1").length === 0 ? headings : [];
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
	for (const node of nodes) {
		if (node.type === "text") kept.push(node);
		if (!isElement(node)) continue;
		const inside = isInsideContent || content.has(node.tagName) || attribute(node, "role") === "main";
		if (refuses(node, isInsideContent)) kept.push(...keptHeading(node));
		else kept.push({ ...node, children: [...pruned(node.children, refuses, inside)] });
	}
	return kept;
}

/** A banner outside the content goes, but not the heading in it. */
function keptHeading(element: Element): readonly Element[] {
	return element.tagName === "header" ? findAll(element.children, "h1") : [];
}

function isSilent(element: Element): boolean {
	if (silent.has(element.tagName) || attribute(element, "ariaHidden") === "true") return true;
	if (element.properties["hidden"] !== undefined && element.properties["hidden"] !== false && element.properties["hidden"] !== null) return true;
	if (element.tagName === "dialog" && attribute(element, "open") === null) return true;
	return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, "style") ?? "");
}

function isFurniture(element: Element, isInsideContent: boolean): boolean {
	if (element.tagName === "nav" || framingRoles.has(attribute(element, "role") ?? "")) return true;
	return framing.has(element.tagName) && !isInsideContent;
}

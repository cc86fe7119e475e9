/** Leaves out what stands around and between the text of an article: lists of links, teasers, comments, buttons for sharing. */

import type { Element, ElementContent } from "hast";
import { attribute, blockTags, isElement, type Node } from "./html-markup.ts";

/** What an element holds, in characters. */
export interface Extent {
	readonly characters: number;
	/** In links. */
	readonly linked: number;
	/** In paragraphs of sentences, outside of links. */
	readonly prose: number;
	/** Whether it is a block element or contains one. */
	readonly isBlock: boolean;
	/** Whether it is an element that is content even if it consists of links, or contains one. */
	readonly isContent: boolean;
}

type Measured = (node: Node) => Extent;

const nothing: Extent = { characters: 0, linked: 0, prose: 0, isBlock: false, isContent: false };

/** A shorter text is a label, a byline or a teaser. */
const paragraphCharactersMin = 100;
/** A paragraph with a larger share of links is a teaser. */
const paragraphLinkedMax = 0.25;
/** An element without prose and with a larger share of links leads to other pages. */
const linkedMax = 0.35;
const paragraphLinksMax = 0.8;
/** An element with a larger share of the prose is not left out for its name. */
const namedShareMax = 0.35;

/** Words in classes and ids by which pages themselves tell what does not belong to the article. */
const surroundings = new Set(
	(
		"related recommended recommendation recommendations recirc promo promos share sharing shares sharebar social sidebar breadcrumb breadcrumbs newsletter newsletters subscribe subscription " +
		"signup sponsor sponsored comment comments disqus respond cookie cookies taboola outbrain popular trending teaser teasers author bio tags pagination pager byline ad ads advert advertisement modal popup login register footer copyright"
	).split(" "),
);
/** Elements that are content even if they consist of links. */
const contentTags = new Set(["table", "pre", "dl", "blockquote"]);
/** Elements that an author writes between paragraphs, even if they consist of links. */
const textTags = new Set(["p", "ul", "ol"]);

/** The nodes without what does not belong to an article, and what they held with it. */
export function withoutSurroundings(nodes: readonly Node[]): { readonly whole: Extent & { readonly elements: number }; readonly cleaned: readonly Node[] } {
	const extents = new Map<Node, Extent>();
	const whole = measureAll(nodes, extents);
	return { whole: { ...whole, elements: extents.size }, cleaned: clean(nodes, whole.prose, (node) => extents.get(node) ?? nothing) };
}

export function extentOf(nodes: readonly Node[]): Extent {
	return measureAll(nodes, new Map());
}

function measureAll(nodes: readonly Node[], extents: Map<Node, Extent>): Extent {
	let [characters, linked, prose, isBlock, isContent] = [0, 0, 0, false, false];
	let [runCharacters, runLinked] = [0, 0];
	const endRun = () => {
		if (runCharacters >= paragraphCharactersMin && runLinked < runCharacters * paragraphLinkedMax) prose += runCharacters - runLinked;
		runCharacters = runLinked = 0;
	};
	for (const node of nodes) {
		const extent = measure(node, extents);
		characters += extent.characters;
		linked += extent.linked;
		isContent ||= extent.isContent;
		if (extent.isBlock) {
			endRun();
			isBlock = true;
			prose += extent.prose;
		} else {
			runCharacters += extent.characters;
			runLinked += extent.linked;
		}
	}
	endRun();
	return { characters, linked, prose, isBlock, isContent };
}

function measure(node: Node, extents: Map<Node, Extent>): Extent {
	if (node.type === "text") return { ...nothing, characters: node.value.replace(/\s+/g, " ").trim().length };
	if (!isElement(node)) return nothing;
	const inside = measureAll(node.children, extents);
	const isLink = node.tagName === "a";
	const isBlock = inside.isBlock || blockTags.has(node.tagName);
	const isContent = inside.isContent || contentTags.has(node.tagName);
	const extent = { ...inside, isBlock, isContent, linked: isLink ? inside.characters : inside.linked, prose: isBlock && !isLink ? inside.prose : 0 };
	extents.set(node, extent);
	return extent;
}

/** Leaves out what does not belong to the article, with the heading above it. */
function clean(nodes: readonly Node[], prose: number, measured: Measured): readonly Node[] {
	const kept: Node[] = [];
	const isInText = nodes.filter((node) => isElement(node) && node.tagName === "p" && measured(node).prose > 0).length > 1;
	for (const node of nodes) {
		if (!isElement(node) || !measured(node).isBlock || node.tagName === "table") kept.push(node);
		else if (!isSurrounding(node, measured(node), prose, isInText)) kept.push({ ...node, children: clean(node.children, prose, measured) as ElementContent[] });
		else while (isBlank(kept.at(-1)) || isSubheading(kept.at(-1))) if (isSubheading(kept.pop())) break;
	}
	return kept;
}

function isSurrounding(element: Element, { characters, linked, prose, isContent }: Extent, articleProse: number, isInText: boolean): boolean {
	if (characters === 0 || isContent || /^h[1-6]$/.test(element.tagName)) return false;
	if (prose === 0 && linked > characters * (element.tagName === "p" ? paragraphLinksMax : linkedMax)) return !(isInText && textTags.has(element.tagName));
	return prose < articleProse * namedShareMax && namesOf(element).some((name) => surroundings.has(name));
}

function isSubheading(node: Node | undefined): boolean {
	return isElement(node) && /^h[2-6]$/.test(node.tagName);
}

function isBlank(node: Node | undefined): boolean {
	return node !== undefined && (node.type === "comment" || (node.type === "text" && node.value.trim() === ""));
}

/** The words in its class and id, which may be written `relatedStories`, `related-stories` or `related_stories`. */
function namesOf(element: Element): readonly string[] {
	const names = `${attribute(element, "className") ?? ""} ${attribute(element, "id") ?? ""}`;
	return names
		.replace(/([a-z])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^a-z]+/);
}

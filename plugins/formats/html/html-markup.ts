/** Functions to query HTML elements. */

import type { Element, ElementContent, RootContent } from "hast";

export type Node = RootContent | ElementContent;

/** The names of block elements. */
export const blockTags: ReadonlySet<string> = new Set(
	(
		"address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html " +
		"legend li listing main menu nav ol p pre section summary table ul xmp"
	).split(" "),
);

export function isElement(node: Node | undefined): node is Element {
	return node?.type === "element";
}

export function attribute(element: Element, name: string): string | null {
	const value = element.properties[name];
	if (Array.isArray(value)) return value.join(" ");
	return value === undefined || value === null || value === false ? null : String(value);
}

/** The elements with one of these names, in document order. */
export function findAll(nodes: readonly Node[], ...tags: readonly string[]): readonly Element[] {
	const found: Element[] = [];
	const visit = (children: readonly Node[]) => {
		for (const node of children) {
			if (!isElement(node)) continue;
			if (tags.includes(node.tagName)) found.push(node);
			visit(node.children);
		}
	};
	visit(nodes);
	return found;
}

/** All text in the nodes, on one line. */
export function wordsOf(nodes: readonly Node[]): string {
	const parts: string[] = [];
	const visit = (children: readonly Node[]) => {
		for (const node of children) {
			if (node.type === "text") parts.push(node.value);
			if (!isElement(node)) continue;
			const separates = blockTags.has(node.tagName) || node.tagName === "br" || node.tagName === "td" || node.tagName === "th";
			if (separates) parts.push(" ");
			visit(node.children);
			if (separates) parts.push(" ");
		}
	};
	visit(nodes);
	return parts.join("").replace(/\s+/g, " ").trim();
}

/** The text of a Markdown node, plain and with links and emphasis. */

import type { Definition, Nodes, PhrasingContent } from "mdast";

export interface Inline {
	readonly text: string;
	readonly markdown: string;
}

/** Link definitions by their identifier. */
export type Targets = ReadonlyMap<string, Definition>;

export function inlineOf(nodes: readonly PhrasingContent[], targets: Targets): Inline {
	const parts = nodes.map((node) => inlineNode(node, targets));
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

function inlineNode(node: PhrasingContent, targets: Targets): Inline {
	switch (node.type) {
		case "text":
			return same(node.value);
		case "inlineCode":
			return { text: node.value, markdown: `\`${node.value}\`` };
		case "break":
			return same("\n");
		case "html":
			return same(wordsOfHtml(node.value));
		case "image":
			return pictured(node.alt ?? "", node.url);
		case "imageReference":
			return same(node.alt ?? "");
		case "footnoteReference":
			return { text: "", markdown: `[^${node.identifier}]` };
		case "emphasis":
			return wrapped(inlineOf(node.children, targets), "*", "*");
		case "strong":
			return wrapped(inlineOf(node.children, targets), "**", "**");
		case "delete":
			return wrapped(inlineOf(node.children, targets), "~~", "~~");
		case "link":
			return linked(inlineOf(node.children, targets), node.url);
		case "linkReference":
			return linked(inlineOf(node.children, targets), targets.get(node.identifier)?.url);
		default:
			return same("");
	}
}

function same(text: string): Inline {
	return { text, markdown: text };
}

function wrapped({ text, markdown }: Inline, before: string, after: string): Inline {
	return { text, markdown: text.trim() === "" ? markdown : `${before}${markdown}${after}` };
}

function linked(inline: Inline, address: string | undefined): Inline {
	return address === undefined ? inline : wrapped(inline, "[", `](${address})`);
}

/** The description of an image; the address is left out when it is a data URL. */
function pictured(alt: string, address: string): Inline {
	return address.startsWith("data:") ? same(alt) : { text: alt, markdown: `![${alt}](${address})` };
}

/** Removes tags and comments. Linear: each search stops at the next bracket, or the next comment. */
export function wordsOfHtml(html: string): string {
	const [before = "", ...comments] = html.split("<!--");
	const outside = comments.map((comment) => (comment.includes("-->") ? comment.slice(comment.indexOf("-->") + 3) : ""));
	return [before, ...outside]
		.join("")
		.replace(/<br[ /]*>/gi, "\n")
		.replace(/<[^<>]*>/g, "");
}

/** All link definitions in the tree. */
export function targetsOf(tree: Nodes): Targets {
	const targets = new Map<string, Definition>();
	const waiting: Nodes[] = [tree];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		if (node.type === "definition") targets.set(node.identifier, node);
		if ("children" in node) for (const child of node.children) waiting.push(child);
	}
	return targets;
}

/** The words of a Markdown node, once plain and once with their links and emphasis. */

import type { Definition, Nodes, PhrasingContent } from "mdast";

export interface Inline {
	readonly text: string;
	readonly markdown: string;
}

/** Where reference links lead, by their identifier. */
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

/** A picture inside a data URL is as long as its file and tells a reader nothing. */
function pictured(alt: string, address: string): Inline {
	return address.startsWith("data:") ? same(alt) : { text: alt, markdown: `![${alt}](${address})` };
}

/** Words between tags; comments go. Linear: no tag is looked for beyond the next bracket, no comment beyond the next one. */
export function wordsOfHtml(html: string): string {
	const [before = "", ...comments] = html.split("<!--");
	const outside = comments.map((comment) => (comment.includes("-->") ? comment.slice(comment.indexOf("-->") + 3) : ""));
	return [before, ...outside]
		.join("")
		.replace(/<br[ /]*>/gi, "\n")
		.replace(/<[^<>]*>/g, "");
}

/** Every definition in the tree. */
export function targetsOf(tree: Nodes): Targets {
	const targets = new Map<string, Definition>();
	const waiting: Nodes[] = [tree];
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		if (node.type === "definition") targets.set(node.identifier, node);
		if ("children" in node) for (const child of node.children) waiting.push(child);
	}
	return targets;
}

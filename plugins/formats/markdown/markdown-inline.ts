/** Converts inline Markdown nodes to plain text, and to Markdown with links and emphasis. */

import type { Definition, Nodes, PhrasingContent } from "mdast";

export interface Inline {
	readonly text: string;
	readonly markdown: string;
}

/** Link definitions by their identifier. */
export type LinkDefinitions = ReadonlyMap<string, Definition>;

export function inlineOf(nodes: readonly PhrasingContent[], definitions: LinkDefinitions): Inline {
	const parts = nodes.map((node) => inlineNode(node, definitions));
	return { text: parts.map((part) => part.text).join(""), markdown: parts.map((part) => part.markdown).join("") };
}

function inlineNode(node: PhrasingContent, definitions: LinkDefinitions): Inline {
	switch (node.type) {
		case "text":
			return plain(node.value);
		case "inlineCode":
			return { text: node.value, markdown: `\`${node.value}\`` };
		case "break":
			return plain("\n");
		case "html":
			return plain(htmlText(node.value));
		case "image":
			return imageText(node.alt ?? "", node.url);
		case "imageReference":
			return plain(node.alt ?? "");
		case "footnoteReference":
			return { text: "", markdown: `[^${node.identifier}]` };
		case "emphasis":
			return wrap(inlineOf(node.children, definitions), "*", "*");
		case "strong":
			return wrap(inlineOf(node.children, definitions), "**", "**");
		case "delete":
			return wrap(inlineOf(node.children, definitions), "~~", "~~");
		case "link":
			return withLink(inlineOf(node.children, definitions), node.url);
		case "linkReference":
			return withLink(inlineOf(node.children, definitions), definitions.get(node.identifier)?.url);
		default:
			return plain("");
	}
}

function plain(text: string): Inline {
	return { text, markdown: text };
}

function wrap({ text, markdown }: Inline, before: string, after: string): Inline {
	return { text, markdown: text.trim() === "" ? markdown : `${before}${markdown}${after}` };
}

function withLink(inline: Inline, url: string | undefined): Inline {
	return url === undefined ? inline : wrap(inline, "[", `](${url})`);
}

/** The description of an image, with its URL unless that is a data URL. */
function imageText(alt: string, url: string): Inline {
	return url.startsWith("data:") ? plain(alt) : { text: alt, markdown: `![${alt}](${url})` };
}

/** Removes tags and comments, in linear time: each search stops at the next bracket or the next comment. */
export function htmlText(html: string): string {
	const [before = "", ...comments] = html.split("<!--");
	const outside = comments.map((comment) => (comment.includes("-->") ? comment.slice(comment.indexOf("-->") + 3) : ""));
	return [before, ...outside]
		.join("")
		.replace(/<br[ /]*>/gi, "\n")
		.replace(/<[^<>]*>/g, "");
}

/** All link definitions in the tree. */
export function linkDefinitions(tree: Nodes): LinkDefinitions {
	const definitions = new Map<string, Definition>();
	const pending: Nodes[] = [tree];
	for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
		if (node.type === "definition") definitions.set(node.identifier, node);
		if ("children" in node) for (const child of node.children) pending.push(child);
	}
	return definitions;
}

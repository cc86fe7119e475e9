/** Converts inline Markdown nodes to plain text, and to Markdown with links and emphasis. */

import type { Definition, Nodes, PhrasingContent } from "mdast";

/** The elements of HTML, and those of MathML that need no attribute. */
const elements = new Set(
	"a abbr acronym address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter mi mn mo mrow msqrt mfrac msub msup mtext nav nobr noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr".split(
		" ",
	),
);

export interface Inline {
	readonly text: string;
	readonly markdown: string;
}

/** Link definitions by their identifier. */
export type LinkDefinitions = ReadonlyMap<string, Definition>;

export function inlineOf(nodes: readonly PhrasingContent[], definitions: LinkDefinitions): Inline {
	const closed = new Set(nodes.map((node) => (node.type === "html" ? (/^<\/([\w-]+)/.exec(node.value)?.[1] ?? "") : "")));
	const parts = nodes.map((node) => (node.type === "html" && isName(node.value, closed) ? plain(node.value) : inlineNode(node, definitions)));
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

/** Whether what looks like a tag is a name in angle brackets, such as `<nick>` in a chat or `<path>` in a command: no element of HTML, and nothing closes it. */
function isName(html: string, closed: ReadonlySet<string>): boolean {
	const name = /^<([A-Za-z][\w-]*)>$/.exec(html)?.[1];
	return name !== undefined && !closed.has(name) && !elements.has(name.toLowerCase());
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

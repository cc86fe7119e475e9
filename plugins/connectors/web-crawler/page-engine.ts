/** Reads the links, robots directives and canonical URL of a page. Runs in the sandbox. */

import { createHash } from "node:crypto";
import { type Engine, fail } from "cairn-memory";
import type { Element, Root, RootContent } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";

export interface PageInput {
	readonly bytes: Uint8Array;
	readonly charset: string | null;
	readonly url: string;
}

export interface PageFacts {
	/** The absolute canonical URL; null if the page names none. */
	readonly canonical: string | null;
	/** False if the page forbids indexing (`noindex`). */
	readonly isIndexed: boolean;
	/** False if the page forbids following its links (`nofollow`). */
	readonly isFollowed: boolean;
	/** Absolute URLs without duplicates, in the order of the page. Links marked `nofollow` are left out. */
	readonly links: readonly string[];
	/** Hash of the text only, so that changes of the markup do not count. */
	readonly hash: string;
}

/** Pages with more links are usually generated lists. */
const linksMax = 2_000;
const linkCharactersMax = 2_000;
/** Elements whose text a browser does not show. */
const hiddenElements: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "svg"]);

const engine: Engine<PageInput, PageFacts> = async ({ bytes, charset, url }) => {
	const html = decode(bytes, charset);
	try {
		return factsOf(unified().use(rehypeParse).parse(html), url);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		throw fail("FILE_BROKEN", "its elements are nested too deeply").because(thrown);
	}
};
export default engine;

function factsOf(root: Root, url: string): PageFacts {
	const texts: string[] = [];
	const elements: Element[] = [];
	walk(root, elements, texts);
	const base = URL.parse(textOf(elements.find(({ tagName }) => tagName === "base")?.properties["href"]), url)?.href ?? url;
	const absolute = (href: unknown) => URL.parse(textOf(href).trim(), base)?.href ?? null;
	const robots = elements
		.filter(({ tagName, properties }) => tagName === "meta" && ["robots", "cairnbot"].includes(textOf(properties["name"]).toLowerCase()))
		.flatMap(({ properties }) =>
			textOf(properties["content"])
				.toLowerCase()
				.split(/[\s,]+/),
		);
	const canonical = elements.find(({ tagName, properties }) => tagName === "link" && relOf(properties["rel"]).includes("canonical"));
	const anchors = elements.filter(({ tagName, properties }) => (tagName === "a" || tagName === "area") && !relOf(properties["rel"]).includes("nofollow"));
	const links = new Set<string>();
	for (const { properties } of anchors) {
		const link = properties["href"] === undefined ? null : absolute(properties["href"]);
		if (link !== null && link.length <= linkCharactersMax && links.size < linksMax) links.add(link);
	}
	return {
		canonical: canonical?.properties["href"] === undefined ? null : absolute(canonical.properties["href"]),
		isIndexed: !robots.includes("noindex") && !robots.includes("none"),
		isFollowed: !robots.includes("nofollow") && !robots.includes("none"),
		links: [...links],
		hash: createHash("sha256").update(texts.join("").replace(/\s+/g, " ").trim()).digest("base64url").slice(0, 22),
	};
}

/** Collects the elements and texts in the order of the page, without recursion because a page may be nested arbitrarily deep. */
function walk(root: Root, elements: Element[], texts: string[]): void {
	const stack: RootContent[] = root.children.toReversed();
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		if (node.type === "text") texts.push(node.value, " ");
		if (node.type !== "element") continue;
		elements.push(node);
		if (!hiddenElements.has(node.tagName)) for (let i = node.children.length - 1; i >= 0; i -= 1) stack.push(node.children[i] as RootContent);
	}
}

function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.join(" ");
	return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function relOf(value: unknown): readonly string[] {
	return textOf(value).toLowerCase().split(/\s+/);
}

/** An unknown charset is read as UTF-8. Links and robots directives are ASCII in nearly every charset, so a wrong guess costs little. */
function decode(bytes: Uint8Array, charset: string | null): string {
	try {
		return new TextDecoder(charset ?? "utf-8").decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

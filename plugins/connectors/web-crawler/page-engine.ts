/** Reads the links, robots directives and canonical address of a page. Runs in the sandbox. */

import { createHash } from "node:crypto";
import { type Engine, fail } from "cairn-memory";
import type { Element, Root, RootContent } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";

export interface PageInput {
	readonly bytes: Uint8Array;
	readonly charset: string | null;
	readonly address: string;
}

export interface PageFacts {
	/** Absolute; null when the page names none. */
	readonly canonical: string | null;
	readonly isIndexed: boolean;
	readonly isFollowed: boolean;
	/** Absolute, each once, in the order of the page; those that are not to be followed are left out. */
	readonly links: readonly string[];
	/** Of the text only: changes of the markup do not count. */
	readonly hash: string;
}

/** Pages with more links are generated lists. */
const linksMax = 2_000;
const linkCharactersMax = 2_000;
/** Elements that are never shown. */
const silent: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "svg"]);

const engine: Engine<PageInput, PageFacts> = async ({ bytes, charset, address }) => {
	const html = decode(bytes, charset);
	try {
		return factsOf(unified().use(rehypeParse).parse(html), address);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		throw fail("FILE_BROKEN", "its elements are nested too deeply").because(thrown);
	}
};
export default engine;

function factsOf(root: Root, address: string): PageFacts {
	const words: string[] = [];
	const elements: Element[] = [];
	walk(root, elements, words);
	const base = URL.parse(textOf(elements.find(({ tagName }) => tagName === "base")?.properties["href"]), address)?.href ?? address;
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
		hash: createHash("sha256").update(words.join("").replace(/\s+/g, " ").trim()).digest("base64url").slice(0, 22),
	};
}

/** Without recursion, as a page may be nested arbitrarily deep. */
function walk(root: Root, elements: Element[], words: string[]): void {
	const open: RootContent[] = root.children.toReversed();
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		if (node.type === "text") words.push(node.value, " ");
		if (node.type !== "element") continue;
		elements.push(node);
		if (!silent.has(node.tagName)) for (let i = node.children.length - 1; i >= 0; i -= 1) open.push(node.children[i] as RootContent);
	}
}

function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.join(" ");
	return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function relOf(value: unknown): readonly string[] {
	return textOf(value).toLowerCase().split(/\s+/);
}

/** Links and robots' words are ASCII in nearly every character set; a wrong guess costs little here. */
function decode(bytes: Uint8Array, charset: string | null): string {
	try {
		return new TextDecoder(charset ?? "utf-8").decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

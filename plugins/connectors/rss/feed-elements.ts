/** Reads the elements of a feed, named by their namespaces. Entities of a DTD are never expanded, and what is broken is read as far as it goes. */

import { fail } from "cairn-memory";
import { SaxesParser } from "saxes";
import { escapeHtml } from "./escape-html.ts";

export interface FeedElement {
	/** With the prefix that is usual for its namespace, whatever the feed calls it. */
	readonly name: string;
	/** The name of its parent; empty at the root. */
	readonly parent: string;
	/** By name; of those with a namespace, only `rdf:about` is kept. */
	readonly attributes: Readonly<Record<string, string>>;
	/** The URL against which its addresses are resolved: `xml:base`, or the feed's. */
	readonly base: string;
	/** Its own text, without that of its children. */
	text: string;
	/** What is inside of an element with `type="xhtml"`, as HTML. */
	markup: string;
	readonly children: FeedElement[];
}

const depthMax = 200;

/** https://www.rssboard.org/rss-specification: elements of RSS 2.0 have no namespace. Others are as RSS was before, and after. */
const prefixes: ReadonlyMap<string, string> = new Map([
	["", ""],
	["http://purl.org/rss/1.0/", ""],
	["http://my.netscape.com/rdf/simple/0.9/", ""],
	["http://backend.userland.com/rss2", ""],
	["http://www.w3.org/2005/Atom", "atom:"],
	["http://purl.org/atom/ns#", "atom:"],
	["http://purl.org/atompub/tombstones/1.0", "atom:"],
	["http://purl.org/rss/1.0/modules/content/", "content:"],
	["http://purl.org/dc/elements/1.1/", "dc:"],
	["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"],
]);

/** Those that are entries; their children are kept for them, and all others are forgotten. */
const entryNames: ReadonlySet<string> = new Set(["item", "atom:entry"]);

/**
 * Calls back at the end of every element outside of an entry, and of every entry with its children.
 * @returns the name of the root; null if there is none.
 * @throws FILE_BROKEN when elements are nested too deeply: the parser looks up namespaces in all that are open.
 */
export function readElements(bytes: Uint8Array, charset: string | null, url: string, onElement: (element: FeedElement) => void): string | null {
	const parser = new SaxesParser<{ xmlns: true; position: false }>({ xmlns: true, position: false });
	const open: FeedElement[] = [];
	let root: string | null = null;
	let entry: FeedElement | null = null;
	let markup: FeedElement | null = null;
	// Feeds are often not well-formed; what can be read is read.
	parser.on("error", () => undefined);
	parser.on("opentag", ({ uri, local, attributes }) => {
		if (open.length >= depthMax) throw fail("FILE_BROKEN", "its elements are nested too deeply");
		const prefix = prefixes.get(uri);
		const parent = open.at(-1);
		const given = Object.values(attributes);
		const base = URL.parse(given.find(({ name }) => name === "xml:base")?.value ?? "", parent?.base ?? url)?.href ?? url;
		const kept = given.flatMap(({ uri: space, local: key, value }) => {
			const name = `${prefixes.get(space) ?? "?"}${key}`;
			return space === "" || name === "rdf:about" ? [[name, value] as const] : [];
		});
		const element: FeedElement = {
			name: prefix === undefined ? "?" : `${prefix}${local}`,
			parent: parent?.name ?? "",
			attributes: Object.fromEntries(kept),
			base,
			text: "",
			markup: "",
			children: [],
		};
		root ??= element.name;
		if (markup !== null) markup.markup += `<${local}${shown(element)}>`;
		else if (element.name.startsWith("atom:") && element.attributes["type"]?.includes("xhtml")) markup = element;
		if (entry === null && entryNames.has(element.name)) entry = element;
		else if (entry !== null) parent?.children.push(element);
		open.push(element);
	});
	parser.on("closetag", ({ local }) => {
		const element = open.pop();
		if (element === undefined) return;
		if (markup === element) markup = null;
		else if (markup !== null) markup.markup += `</${local}>`;
		// The text of what is marked up counts as the text of the element too, so that it is not empty.
		if (markup !== null) markup.text += element.text;
		if (entry !== null && entry !== element) return;
		entry = null;
		onElement(element);
	});
	const add = (text: string) => {
		const element = open.at(-1);
		if (element === undefined) return;
		element.text += text;
		if (markup !== null) markup.markup += escapeHtml(text);
	};
	parser.on("text", add);
	parser.on("cdata", add);
	parser.write(decoded(bytes, charset)).close();
	return root;
}

/** Of the attributes of HTML, only addresses say anything. */
function shown({ attributes, base }: FeedElement): string {
	const addresses = ["href", "src"].flatMap((name) => {
		const address = URL.parse(attributes[name] ?? "", base)?.href;
		return attributes[name] === undefined || address === undefined ? [] : [` ${name}="${escapeHtml(address)}"`];
	});
	return addresses.join("");
}

/** Declarations are in ASCII; what names no encoding, or one that does not exist, is UTF-8. */
function decoded(bytes: Uint8Array, charset: string | null): string {
	const isWide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
	const declared = /^[^<]{0,3}<\?xml[^>]{1,100}encoding\s*=\s*["']([\w.:-]+)/.exec(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))?.[1];
	for (const encoding of [isWide, charset, declared]) {
		try {
			if (encoding != null) return new TextDecoder(encoding).decode(bytes);
		} catch {
			// Unknown; the next one counts.
		}
	}
	return new TextDecoder().decode(bytes);
}

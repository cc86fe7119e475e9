/** What a page says about itself: title, description, language, base address, character set. */

import type { Root } from "hast";
import { attribute, findAll, isElement, wordsOf } from "./html-markup.ts";

export interface Head {
	readonly title: string | null;
	readonly description: string | null;
	readonly language: string | null;
	/** What relative links are relative to, as the page says; null when it does not. */
	readonly base: string | null;
}

export function headOf(root: Root): Head {
	const facts = new Map<string, string>();
	for (const meta of findAll(root.children, "meta")) {
		const name = (attribute(meta, "name") ?? attribute(meta, "property") ?? "").toLowerCase();
		const content = attribute(meta, "content")?.trim() ?? "";
		if (name !== "" && content !== "" && !facts.has(name)) facts.set(name, content);
	}
	const fact = (...names: readonly string[]) => names.map((name) => facts.get(name)).find((value) => value !== undefined) ?? null;
	const html = root.children.filter(isElement).find((element) => element.tagName === "html");
	const [title] = findAll(root.children, "title");
	const [base] = findAll(root.children, "base");
	return {
		title: (title === undefined ? "" : wordsOf(title.children)) || fact("og:title", "twitter:title", "dc.title"),
		description: fact("description", "og:description", "twitter:description", "dc.description"),
		language: (html === undefined ? null : (attribute(html, "lang") ?? attribute(html, "xmlLang"))) ?? fact("og:locale"),
		base: base === undefined ? null : attribute(base, "href"),
	};
}

/** Browsers look no further for it. */
const declarationBytesMax = 2048;

/** The character set a page declares in its first lines. A page that could be read so far is not in UTF-16. */
export function declaredCharset(bytes: Uint8Array): string | null {
	const start = new TextDecoder("latin1").decode(bytes.subarray(0, declarationBytesMax));
	const name = (/<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ?? /^<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(start))?.[1]?.toLowerCase();
	return name === undefined || name.startsWith("utf-16") ? null : name;
}

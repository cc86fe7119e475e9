/** Reads a sitemap: the URLs of pages, or of further sitemaps. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { readElements } from "../../formats/xml/read-elements.ts";

export interface Sitemap {
	readonly pages: readonly string[];
	readonly sitemaps: readonly string[];
}

/** The limit of the sitemap protocol. */
const urlsMax = 50_000;

const engine: Engine<Uint8Array, Sitemap> = async (bytes) => {
	const pages: string[] = [];
	const sitemaps: string[] = [];
	try {
		readElements(new TextDecoder().decode(bytes), (path, text) => {
			if (path === "urlset/url/loc" && pages.length < urlsMax) pages.push(text);
			if (path === "sitemapindex/sitemap/loc" && sitemaps.length < urlsMax) sitemaps.push(text);
		});
	} catch (thrown) {
		// URLs before the syntax error are used.
		if (pages.length === 0 && sitemaps.length === 0) throw fail("FILE_BROKEN", "it is not a sitemap").because(thrown);
	}
	return { pages, sitemaps };
};
export default engine;

/** Reads a sitemap: addresses of pages, or of further sitemaps. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { readXml } from "../read-xml.ts";

export interface Sitemap {
	readonly pages: readonly string[];
	readonly sitemaps: readonly string[];
}

/** As the protocol of sitemaps has it. */
const addressesMax = 50_000;

const engine: Engine<Uint8Array, Sitemap> = async (bytes) => {
	const pages: string[] = [];
	const sitemaps: string[] = [];
	try {
		readXml(new TextDecoder().decode(bytes), (path, text) => {
			if (path === "urlset/url/loc" && pages.length < addressesMax) pages.push(text);
			if (path === "sitemapindex/sitemap/loc" && sitemaps.length < addressesMax) sitemaps.push(text);
		});
	} catch (thrown) {
		// Addresses before the damage are kept.
		if (pages.length === 0 && sitemaps.length === 0) throw fail("FILE_BROKEN", "it is no sitemap").because(thrown);
	}
	return { pages, sitemaps };
};
export default engine;

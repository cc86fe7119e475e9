/** The configuration of a crawl, and its validation. */

import { type ConnectorConfig, fail, limits } from "cairn-memory";
import { z } from "zod";
import { patterns } from "../path-filter.ts";
import { readConfig } from "../read-config.ts";
import { urlCharactersMax } from "./crawlable-url.ts";

export const provider = "web-crawler";

const depthMax = 20;
/** Reaches every page of ordinary sites. */
const depthDefault = 10;
const startAdvice = "it is required: an http or https URL such as https://example.com/docs, without a user or a password";

const schema = z.object({
	startUrl: z.string({ error: startAdvice }).refine(isStartUrl, { error: startAdvice }),
	depth: integer("a number of links", 0, depthMax).default(depthDefault),
	pagesMax: integer("a number of pages", 1, limits.connectionDocumentsMax).default(limits.connectionDocumentsMax),
	include: patterns,
	exclude: patterns,
	sitemap: z.boolean({ error: "it should be true or false" }).default(true),
});
export type CrawlConfig = z.infer<typeof schema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): CrawlConfig {
	if (!Number.isInteger(documentsMax) || documentsMax < 1)
		throw fail("CONNECTION_INVALID", provider, "documentLimit", "it should be a whole number of at least 1");
	const parsed = readConfig(provider, schema, metadata);
	return { ...parsed, pagesMax: Math.min(parsed.pagesMax, documentsMax) };
}

export function readCrawlConfig(config: ConnectorConfig): CrawlConfig {
	return readConfig(provider, schema, config);
}

function integer(what: string, min: number, max: number) {
	const error = `it should be ${what} from ${min} to ${max}`;
	return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

function isStartUrl(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || text.length > urlCharactersMax) return false;
	return ["http:", "https:"].includes(url.protocol) && url.hostname !== "" && url.username === "" && url.password === "";
}

/** The configuration of a crawl, and its validation. */

import { type ConnectorConfig, fail, limits } from "cairn-memory";
import type { RE2JS } from "re2js";
import { z } from "zod";
import { re2 } from "../re2.ts";
import { readConfig } from "../read-config.ts";
import { urlCharactersMax } from "./crawlable-url.ts";

export const provider = "web-crawler";

const depthMax = 20;
/** Reaches every page of ordinary sites. */
const depthDefault = 10;
const patternsMax = 50;
const patternCharactersMax = 200;
const patternAdvice = "it should have path patterns separated by commas, such as /docs/**, /blog/*; each begins with a slash and has at most 200 characters";

const patterns = z
	.union([z.string(), z.array(z.string())], { error: patternAdvice })
	.transform((value) => (typeof value === "string" ? value.split(/[,\n]/) : value).map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))
	.refine((list) => list.length <= patternsMax && list.every((pattern) => pattern.startsWith("/") && pattern.length <= patternCharactersMax), {
		error: patternAdvice,
	})
	.default([]);

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

/** Returns a function that says whether a path is included. Patterns are matched by RE2, which takes linear time for any pattern and path. */
export function pathFilter({ include, exclude }: Pick<CrawlConfig, "include" | "exclude">): (path: string) => boolean {
	const [included, excluded] = [include.map(globPattern), exclude.map(globPattern)];
	return (path) => (included.length === 0 || included.some((pattern) => pattern.testExact(path))) && !excluded.some((pattern) => pattern.testExact(path));
}

/** `*` matches within a path segment, `**` across segments, `?` one character. */
function globPattern(glob: string): RE2JS {
	const pieces = glob.split(/(\*\*|\*|\?)/).map((piece) => wildcards.get(piece) ?? re2().quote(piece));
	return re2().compile(`(?s:${pieces.join("")})`);
}

const wildcards: ReadonlyMap<string, string> = new Map([
	["**", ".*"],
	["*", "[^/]*"],
	["?", "[^/]"],
]);

function integer(what: string, min: number, max: number) {
	const error = `it should be ${what} from ${min} to ${max}`;
	return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

function isStartUrl(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || text.length > urlCharactersMax) return false;
	return ["http:", "https:"].includes(url.protocol) && url.hostname !== "" && url.username === "" && url.password === "";
}

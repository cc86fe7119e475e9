/** The configuration of a crawl, and its validation. */

import { type ConnectorConfig, fail, limits } from "cairn-memory";
import type { RE2JS } from "re2js";
import { z } from "zod";
import { re2 } from "../re2.ts";
import { readConfig } from "../read-config.ts";
import { addressCharactersMax } from "./address.ts";

export const provider = "web-crawler";

const depthMax = 20;
/** Deep enough for real sites. */
const depthDefault = 10;
const patternsMax = 50;
const patternCharactersMax = 200;
const patternAdvice = "it should hold path patterns parted by commas, such as /docs/**, /blog/*, each of at most 200 characters and with a slash first";

const patterns = z
	.union([z.string(), z.array(z.string())], { error: patternAdvice })
	.transform((given) => (typeof given === "string" ? given.split(/[,\n]/) : given).map((pattern) => pattern.trim()).filter((pattern) => pattern !== ""))
	.refine((list) => list.length <= patternsMax && list.every((one) => one.startsWith("/") && one.length <= patternCharactersMax), { error: patternAdvice })
	.default([]);

const startAdvice = "it is required: an http or https address such as https://example.com/docs, without a user or a password";

const schema = z.object({
	startUrl: z.string({ error: startAdvice }).refine(isStart, { error: startAdvice }),
	depth: whole("a number of links", 0, depthMax).default(depthDefault),
	pagesMax: whole("a number of pages", 1, limits.connectionDocumentsMax).default(limits.connectionDocumentsMax),
	include: patterns,
	exclude: patterns,
	sitemap: z.boolean({ error: "it should be true or false" }).default(true),
});
export type CrawlConfig = z.infer<typeof schema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): CrawlConfig {
	if (!Number.isInteger(documentsMax) || documentsMax < 1) throw fail("CONNECTION_INVALID", provider, "documentLimit", "it should be a whole number from 1 on");
	const read = readConfig(provider, schema, metadata);
	return { ...read, pagesMax: Math.min(read.pagesMax, documentsMax) };
}

export function readCrawlConfig(config: ConnectorConfig): CrawlConfig {
	return readConfig(provider, schema, config);
}

/** Whether a path is wanted. RE2 takes linear time for any pattern and path. */
export function pathFilter({ include, exclude }: Pick<CrawlConfig, "include" | "exclude">): (path: string) => boolean {
	const [wanted, unwanted] = [include.map(globPattern), exclude.map(globPattern)];
	return (path) => (wanted.length === 0 || wanted.some((pattern) => pattern.testExact(path))) && !unwanted.some((pattern) => pattern.testExact(path));
}

/** `*` matches within a path segment, `**` across segments, `?` one character. */
function globPattern(glob: string): RE2JS {
	const pieces = glob.split(/(\*\*|\*|\?)/).map((piece) => signs.get(piece) ?? re2().quote(piece));
	return re2().compile(`(?s:${pieces.join("")})`);
}

const signs: ReadonlyMap<string, string> = new Map([
	["**", ".*"],
	["*", "[^/]*"],
	["?", "[^/]"],
]);

function whole(what: string, min: number, max: number) {
	const error = `it should be ${what} from ${min} to ${max}`;
	return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

function isStart(address: string): boolean {
	const url = URL.parse(address);
	if (url === null || address.length > addressCharactersMax) return false;
	return ["http:", "https:"].includes(url.protocol) && url.hostname !== "" && url.username === "" && url.password === "";
}

/** Websites: pages of one host as documents, read politely and read again when they change. */

import { type Connector, definePlugin } from "cairn-memory";
import { z } from "zod";
import { pageAddress } from "./address.ts";
import { checkStart } from "./check-start.ts";
import { configure, provider, readCrawlConfig } from "./config.ts";
import { crawl } from "./crawl.ts";
import { openFrontier } from "./frontier.ts";

/** The wire contract says at least seven days. */
const syncEveryMs = 7 * 24 * 60 * 60_000;
/** A pause that no site notices; robots.txt may ask for more. */
const pauseMsDefault = 1_000;

export default definePlugin({
	name: "connector-web-crawler",
	contract: 1,
	options: z.strictObject({ pauseMs: z.number().int().min(0).max(60_000).default(pauseMsDefault) }),
	start({ pauseMs }, host) {
		const connector: Connector = {
			name: provider,
			secrets: [],
			syncEveryMs,
			configure,
			check: (config, step) => checkStart(readCrawlConfig(config), host, pauseMs, step),
			sync: (given, cursor, step) => {
				const config = readCrawlConfig(given);
				const start = pageAddress(config.startUrl, new URL(config.startUrl)) ?? new URL(config.startUrl).href;
				return crawl({ config: { ...config, startUrl: start }, host, frontier: openFrontier(cursor, start), pauseMs, step });
			},
		};
		return { connector: [connector] };
	},
});

/** Connects websites: the pages of one host become documents, and are read again when they change. */

import { type Connector, definePlugin } from "cairn-memory";
import { z } from "zod";
import { checkStart } from "./check-start.ts";
import { configure, provider, readCrawlConfig } from "./config.ts";
import { crawl } from "./crawl.ts";
import { crawlableUrl } from "./crawlable-url.ts";
import { openFrontier } from "./frontier.ts";

/** The API contract prescribes at least seven days. */
const syncEveryMs = 7 * 24 * 60 * 60_000;
/** The pause between two requests, short enough a load for any site. robots.txt may ask for a longer one. */
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
			sync: (stored, cursor, step) => {
				const config = readCrawlConfig(stored);
				const start = crawlableUrl(config.startUrl, new URL(config.startUrl)) ?? new URL(config.startUrl).href;
				return crawl({ config: { ...config, startUrl: start }, host, frontier: openFrontier(cursor, start, step.isRetry === true), pauseMs, step });
			},
		};
		return { connector: [connector] };
	},
});

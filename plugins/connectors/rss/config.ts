/** The configuration of a feed, and its validation. */

import type { ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "rss";

const addressAdvice = "it is required: the http or https URL of an RSS or Atom feed such as https://example.com/feed.xml, without a user or a password";
const addressCharactersMax = 2_000;

const keys = {
	feedUrl: z.string({ error: addressAdvice }).refine(isFeedAddress, { error: addressAdvice }),
	pages: z.boolean({ error: "it should be true or false" }).default(false),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type FeedConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): FeedConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readFeedConfig(config: ConnectorConfig): FeedConfig {
	return readConfig(provider, configSchema, config);
}

function isFeedAddress(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || text.length > addressCharactersMax) return false;
	return ["http:", "https:"].includes(url.protocol) && url.hostname !== "" && url.username === "" && url.password === "";
}

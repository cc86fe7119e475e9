/** The configuration of a Notion connection, and its validation. */

import type { Connector, ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { isEndpoint } from "../endpoint.ts";
import { configureWith, readConfig } from "../read-config.ts";
import { atHome } from "../token-or-sign-in.ts";

export const provider = "notion";
export const secrets = ["token"] as const;

const pagesMax = 200;
const tokenAdvice =
	"it should be the token of an internal integration, which begins with ntn_ or secret_; nobody can sign in on this server, see docs/connections.md";
const pagesAdvice = `it should have ids or addresses of pages and databases, separated by commas, at most ${pagesMax}`;
const endpointAdvice = "it should be the URL of an API such as https://api.notion.com, without a user, a query or a fragment";

const keys = {
	token: z
		.string({ error: tokenAdvice })
		.regex(/^[\x21-\x7e]{8,255}$/, { error: tokenAdvice })
		.exactOptional(),
	pages: z
		.union([z.string(), z.array(z.string())], { error: pagesAdvice })
		.transform((value) => (typeof value === "string" ? value.split(/[,\s]+/) : value).filter((id) => id !== "").map(idOf))
		.refine((ids) => ids.length <= pagesMax && ids.every((id) => id !== null), { error: pagesAdvice })
		.transform((ids) => [...new Set(ids.filter((id) => id !== null))])
		.default([]),
	endpoint: z.string({ error: endpointAdvice }).refine(isEndpoint, { error: endpointAdvice }).default("https://api.notion.com"),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type NotionConfig = z.infer<typeof configSchema>;

/** @param home the API where somebody signs in; null without a sign-in */
export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number, home: string | null): NotionConfig {
	return atHome(provider, configureWith(provider, metadataSchema, metadata, documentsMax), metadata, home, tokenAdvice);
}

export function readNotionConfig(config: ConnectorConfig): NotionConfig {
	return readConfig(provider, configSchema, config);
}

type Resources = NonNullable<Connector["resources"]>;

/** @throws ServiceError of kind `invalid` if a resource has no `id` */
export const choose: Resources["choose"] = (config, chosen) => {
	const pages = chosen.map(({ id }) => (typeof id === "string" ? id : "?"));
	return readConfig(provider, configSchema, { ...config, pages });
};

/** The UUID of an id with hyphens or without, or of the address of a page, at whose end it stands; null if there is none. */
function idOf(text: string): string | null {
	const name =
		text
			.replace(/[?#].*$/, "")
			.split("/")
			.at(-1) ?? "";
	const hex = /[\da-f]{32}$/i.exec(name.replaceAll("-", ""))?.[0].toLowerCase();
	return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") ?? null;
}

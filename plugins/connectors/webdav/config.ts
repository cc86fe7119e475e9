/** The configuration of a WebDAV folder, and its validation. */

import type { ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { isEndpoint } from "../endpoint.ts";
import { patterns } from "../path-filter.ts";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "webdav";
export const secrets = ["password"] as const;

const urlAdvice =
	"it is required: the URL of a folder such as https://cloud.example.com/remote.php/dav/files/ada/Documents, without a user, a query or a fragment";
const usernameAdvice = "it is required: a user name of at most 255 characters without a colon";
const passwordAdvice = "it is required: an app password, 8 to 255 characters";

const keys = {
	url: z
		.string({ error: urlAdvice })
		.refine((url) => isEndpoint(url) && url.length <= 2_000, { error: urlAdvice })
		.transform((url) => `${new URL(url).href.replace(/\/+$/, "")}/`),
	// RFC 7617: what is after the first colon is the password.
	username: z.string({ error: usernameAdvice }).regex(/^[^:\p{Cc}]{1,255}$/u, { error: usernameAdvice }),
	password: z.string({ error: passwordAdvice }).regex(/^[^\p{Cc}]{8,255}$/u, { error: passwordAdvice }),
	include: patterns,
	exclude: patterns,
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type DavConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): DavConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readDavConfig(config: ConnectorConfig): DavConfig {
	return readConfig(provider, configSchema, config);
}

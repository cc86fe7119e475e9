/** The configuration of a GitHub connection, and its validation. */

import type { Connector, ConnectorConfig } from "cairn-memory";
import { z } from "zod";
import { isEndpoint } from "../endpoint.ts";
import { patterns } from "../path-filter.ts";
import { configureWith, readConfig } from "../read-config.ts";
import { atHome } from "../token-or-sign-in.ts";

export const provider = "github";
export const secrets = ["token"] as const;

const repositoriesMax = 200;
const repositoryPattern = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
const tokenAdvice = "it should be a personal access token that may read contents and issues, 8 to 255 characters without spaces";
const repositoriesAdvice = `it should have names such as owner/name, separated by commas, at most ${repositoriesMax}`;
const endpointAdvice = "it should be the URL of an API such as https://github.example.com/api/v3, without a user, a query or a fragment";
const switchAdvice = "it should be true or false";

const keys = {
	token: z
		.string({ error: tokenAdvice })
		.regex(/^[\x21-\x7e]{8,255}$/, { error: tokenAdvice })
		.exactOptional(),
	/** Each once, whatever its case: GitHub's names have none. */
	repositories: z
		.union([z.string(), z.array(z.string())], { error: repositoriesAdvice })
		.transform((value) => eachOnce((typeof value === "string" ? value.split(/[,\s]+/) : value).filter((name) => name !== "")))
		.refine((names) => names.length <= repositoriesMax && names.every(isRepository), { error: repositoriesAdvice })
		.default([]),
	issues: z.boolean({ error: switchAdvice }).default(false),
	/** Absent unless said, so that connections made before there were discussions are still found by their configuration. */
	discussions: z.boolean({ error: switchAdvice }).exactOptional(),
	include: patterns,
	exclude: patterns,
	endpoint: z.string({ error: endpointAdvice }).refine(isEndpoint, { error: endpointAdvice }).default("https://api.github.com"),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type GithubConfig = z.infer<typeof configSchema>;

/** @param home the API where somebody signs in; null without a sign-in */
export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number, home: string | null): GithubConfig {
	return atHome(provider, configureWith(provider, metadataSchema, metadata, documentsMax), metadata, home, tokenAdvice);
}

export function readGithubConfig(config: ConnectorConfig): GithubConfig {
	return readConfig(provider, configSchema, config);
}

type Resources = NonNullable<Connector["resources"]>;

/** @throws ServiceError of kind `invalid` if a resource has no `full_name` */
export const choose: Resources["choose"] = (config, chosen) => {
	const repositories = chosen.map(({ full_name }) => (typeof full_name === "string" ? full_name : "?"));
	return readConfig(provider, configSchema, { ...config, repositories });
};

function isRepository(name: string): boolean {
	return repositoryPattern.test(name) && !name.split("/").some((part) => part === "." || part === "..");
}

function eachOnce(names: readonly string[]): string[] {
	return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

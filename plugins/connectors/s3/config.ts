/** The configuration of a bucket connection, and its validation. */

import type { RE2JS } from "re2js";
import { z } from "zod";
import { isEndpoint } from "../endpoint.ts";
import { re2 } from "../re2.ts";
import { configureWith, readConfig } from "../read-config.ts";

export const provider = "s3";
export const secrets = ["secretAccessKey", "accessKeyId"] as const;

const text = (pattern: RegExp, expected: string) => z.string({ error: expected }).regex(pattern, { error: expected });

const patternCharactersMax = 199; // contract: below 200
const patternAdvice = `it should be a pattern of fewer than ${patternCharactersMax + 1} characters in RE2 syntax with a group named userId, such as ^users/(?<userId>[^/]+)/`;

/** In optional settings an empty string means "none", so that a configuration is plain JSON. */
const keys = {
	accessKeyId: text(/^[\x21-\x7e]{3,128}$/, "it is required: the id of an access key, 3 to 128 characters without spaces"),
	secretAccessKey: text(/^[\x21-\x7e]{8,256}$/, "it is required: the secret of the access key, 8 to 256 characters without spaces"),
	bucket: text(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/, "it is required: the name of a bucket, 3 to 63 letters, digits, dots or hyphens"),
	region: text(/^[a-z0-9-]{2,40}$/, "it is required: a region such as eu-central-1, or auto if the service has no regions"),
	endpoint: z
		.string({ error: "it should be a URL such as https://minio.example.com" })
		.refine((url) => url === "" || isEndpoint(url), {
			error: "it should be an http or https URL without a user, a query or a fragment, such as https://minio.example.com",
		})
		.default(""),
	prefix: z.string({ error: "it should be a string" }).max(1_024, { error: "it should have at most 1024 characters" }).default(""),
	containerTagRegex: z
		.string({ error: patternAdvice })
		.refine((pattern) => pattern === "" || (pattern.length <= patternCharactersMax && userIdPattern(pattern) !== null), { error: patternAdvice })
		.default(""),
};
const metadataSchema = z.object(keys);
const configSchema = z.object({ ...keys, documentsMax: z.number().int().min(1) });
export type BucketConfig = z.infer<typeof configSchema>;

export function configure(metadata: Readonly<Record<string, unknown>>, documentsMax: number): BucketConfig {
	return configureWith(provider, metadataSchema, metadata, documentsMax);
}

export function readBucketConfig(config: Readonly<Record<string, unknown>>): BucketConfig {
	return readConfig(provider, configSchema, config);
}

/**
 * The compiled pattern; null if it is invalid or has no group named `userId`. It is compiled by RE2, because the pattern and the
 * object names are untrusted, and RE2 takes linear time. RE2 has neither backreferences nor lookaround.
 */
export function userIdPattern(pattern: string): RE2JS | null {
	try {
		const compiled = re2().compile(pattern);
		return Object.hasOwn(compiled.namedGroups(), "userId") ? compiled : null;
	} catch {
		return null;
	}
}

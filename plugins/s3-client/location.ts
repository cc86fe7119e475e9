/** Where objects are kept: a URL such as `s3://bucket/prefix?endpoint=https://minio.example.com`, and the usual variables of AWS. */

import { fail, type PluginSetting } from "cairn-memory";
import { bucketUrl, type SigningKeys } from "./sign-request.ts";

export interface S3Location {
	readonly bucket: string;
	/** Put before every key; empty, or with a slash at its end. */
	readonly prefix: string;
	readonly baseUrl: string;
	readonly keys: SigningKeys;
	/** Headers that request encryption on the server; empty if the bucket's default applies. */
	readonly encryption: Readonly<Record<string, string>>;
}

/** Read by whatever keeps objects in S3. The names are those of AWS, because other tools and platforms set them. */
export const awsSettings: readonly PluginSetting[] = [
	{ env: "AWS_ACCESS_KEY_ID", kind: "secret", meaning: "id of the access key for S3" },
	{ env: "AWS_SECRET_ACCESS_KEY", kind: "secret", meaning: "secret of the access key for S3" },
	{ env: "AWS_SESSION_TOKEN", kind: "secret", meaning: "session token, for a temporary access key" },
	{ env: "AWS_REGION", kind: "text", meaning: "region of the bucket, if its URL names none", fallback: "us-east-1" },
];

const parameterNames: ReadonlySet<string> = new Set(["endpoint", "region", "sse", "kms_key"]);
const bucketPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/;
const prefixPattern = /^([\w-][\w.-]*\/)*$/;

/**
 * @param setting the name of the setting that holds the URL, for messages
 * @param settings the values of `awsSettings` by name
 * @throws ServiceError `SETTING_INVALID`
 */
export function s3Location(setting: string, text: string, settings: Readonly<Record<string, unknown>>): S3Location {
	const refuse = (expected: string) => fail("SETTING_INVALID", setting, `it should ${expected}`);
	const url = URL.canParse(text) ? new URL(text) : null;
	if (url?.protocol !== "s3:" || !bucketPattern.test(url.host)) throw refuse("begin with s3:// and the name of a bucket, such as s3://documents/cairn");
	if (url.username !== "" || url.password !== "") throw refuse("contain no keys; they are set as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
	const unknown = [...url.searchParams.keys()].find((name) => !parameterNames.has(name));
	if (unknown !== undefined) throw refuse(`have no parameter ${unknown}; there are ${[...parameterNames].join(", ")}`);
	const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, "").replace(/(?<=.)$/, "/");
	if (!prefixPattern.test(prefix)) throw refuse("have a prefix of letters, digits, dots, hyphens and slashes after the bucket");
	const endpoint = url.searchParams.get("endpoint") ?? "";
	if (endpoint !== "" && !isEndpoint(endpoint)) throw refuse("have an endpoint that is an http or https URL without a user and a query");
	const region = url.searchParams.get("region") ?? String(settings["AWS_REGION"]);
	if (!/^[a-z0-9-]{2,40}$/.test(region)) throw refuse("have a region such as eu-central-1");
	const keys = { accessKeyId: secret(settings, "AWS_ACCESS_KEY_ID", setting), secretAccessKey: secret(settings, "AWS_SECRET_ACCESS_KEY", setting) };
	return {
		bucket: url.host,
		prefix,
		baseUrl: bucketUrl({ endpoint, bucket: url.host, region }),
		keys: { ...keys, sessionToken: (settings["AWS_SESSION_TOKEN"] ?? null) as string | null, region },
		encryption: encryptionHeaders(url.searchParams, refuse),
	};
}

function secret(settings: Readonly<Record<string, unknown>>, name: string, setting: string): string {
	const value = settings[name];
	if (typeof value !== "string") throw fail("SETTING_INVALID", setting, `it needs ${name} as well`);
	return value;
}

function encryptionHeaders(parameters: URLSearchParams, refuse: (expected: string) => Error): S3Location["encryption"] {
	const [sse, kmsKey] = [parameters.get("sse"), parameters.get("kms_key")];
	if (sse !== null && sse !== "AES256" && sse !== "aws:kms") throw refuse("have sse=AES256 or sse=aws:kms");
	if (kmsKey !== null && sse !== "aws:kms") throw refuse("have sse=aws:kms where it has a kms_key");
	return {
		...(sse !== null && { "x-amz-server-side-encryption": sse }),
		...(kmsKey !== null && { "x-amz-server-side-encryption-aws-kms-key-id": kmsKey }),
	};
}

function isEndpoint(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
	return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

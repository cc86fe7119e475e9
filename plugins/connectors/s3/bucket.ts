/** Sends signed requests to a bucket through the guarded fetch, and reports refusals without secrets. */

import { AwsV4Signer } from "aws4fetch";
import { type Fetched, fail, type Host, limits, type Step } from "cairn-memory";
import { type BucketConfig, provider } from "./config.ts";
import { errorCodeOf, type ListPage, parseListPage } from "./list-page.ts";

export interface Bucket {
	/** One page of the object list. `token` comes from the page before; null asks for the first page. */
	readonly list: (token: string | null, pageMax: number, step: Step) => Promise<ListPage>;
	/** Null if the object no longer exists. @throws CONNECTION_FORBIDDEN for an object that may be listed but not read. */
	readonly get: (key: string, bytesMax: number, step: Step) => Promise<Fetched | null>;
}

/** Enough for a thousand names of a thousand bytes, each escaped as `%FF`, and their markup. */
const listBytesMax = 8 * 1024 * 1024;
/** Enough for fifty megabytes at two megabits per second. */
const objectTimeoutMs = 200_000;
/** The SHA-256 of an empty body. */
const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** Status codes that are returned instead of thrown. Redirects are not followed, because a signature is valid for one host only. */
const returnedStatuses = [301, 307, 400, 401, 403, 404];

export function openBucket(config: BucketConfig, host: Host): Bucket {
	const bucketUrl = baseUrl(config);
	async function request(path: string, query: string, bytesMax: number, step: Step): Promise<Fetched> {
		const { accessKeyId, secretAccessKey, region } = config;
		const datetime = host.world
			.now()
			.toISOString()
			.replace(/[:-]|\.\d{3}/g, "");
		const headers = { "x-amz-content-sha256": emptySha256 };
		const url = `${bucketUrl}/${path}${query}`;
		const signed = await new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: "s3", headers, datetime }).sign();
		const timeoutMs = bytesMax > listBytesMax ? objectTimeoutMs : limits.fetchTimeoutMs;
		return host.fetch(url, { signal: step.signal, bytesMax, timeoutMs, headers: Object.fromEntries(signed.headers), answers: returnedStatuses });
	}
	return {
		async list(token, pageMax, step) {
			const query = { "encoding-type": "url", "list-type": "2", "max-keys": String(pageMax), prefix: config.prefix, "continuation-token": token ?? "" };
			const parameters = Object.entries(query).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${encodeURIComponent(value)}`]));
			const response = await request("", `?${parameters.join("&")}`, listBytesMax, step);
			if (response.status !== 200) throw refusalError(response, config);
			return parseListPage(new TextDecoder().decode(response.bytes)) ?? notS3();
		},
		async get(key, bytesMax, step) {
			const response = await request(key.split("/").map(encodeURIComponent).join("/"), "", bytesMax, step);
			if (response.status === 404 && errorCodeOf(response.bytes) !== "NoSuchBucket") return null;
			if (response.status !== 200) throw refusalError(response, config);
			return response;
		},
	};
}

/**
 * On AWS the bucket is part of the host name, unless its name has dots or other characters that certificates do not match. Elsewhere it is
 * part of the path.
 */
function baseUrl({ endpoint, bucket, region }: BucketConfig): string {
	if (endpoint !== "") return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
	const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
	return /[.A-Z_]/.test(bucket) ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`;
}

/** A wrong region is reported with status 301, 307 or 400. Other errors are distinguished by status. */
function refusalError({ status, bytes, headers }: Fetched, { bucket }: BucketConfig) {
	const code = errorCodeOf(bytes);
	const message = `bucket ${bucket} answered with status ${status}${code === null ? "" : ` (${code})`}`;
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, message);
	if (status === 403) return fail("CONNECTION_FORBIDDEN", provider, message);
	if (status === 404) return fail("CONNECTION_SOURCE_MISSING", provider, message);
	const region = /^[a-z0-9-]{2,40}$/.exec(headers.get("x-amz-bucket-region") ?? "")?.[0];
	const isWrongRegion = status === 301 || status === 307 || code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException";
	if (isWrongRegion)
		return fail("CONNECTION_INVALID", provider, "region", `the bucket is in ${region === undefined ? "another region" : `the region ${region}`}`);
	return fail("CONNECTION_INVALID", provider, "the request", message);
}

function notS3(): never {
	throw fail("CONNECTION_INVALID", provider, "endpoint", "the server there is no S3 service: its response to ListObjectsV2 is not a list of objects");
}

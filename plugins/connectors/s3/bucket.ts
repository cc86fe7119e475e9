/** Sends signed requests to a bucket through the guarded fetch, and reports refusals without secrets. */

import { AwsV4Signer } from "aws4fetch";
import { type Fetched, fail, type Host, limits, type Step } from "cairn-memory";
import { type BucketConfig, provider } from "./config.ts";
import { errorCodeOf, type ListPage, parseListPage } from "./list-page.ts";

export interface Bucket {
	/** One page of the list, by the token from the page before. */
	readonly list: (token: string | null, pageMax: number, step: Step) => Promise<ListPage>;
	/** Null when the object is gone. @throws CONNECTION_FORBIDDEN for an object that may be listed but not read. */
	readonly get: (key: string, bytesMax: number, step: Step) => Promise<Fetched | null>;
}

/** Enough for a thousand names of a thousand bytes, each escaped as `%FF`, and their markup. */
const listBytesMax = 8 * 1024 * 1024;
/** Fifty megabytes at two megabits a second. */
const objectTimeoutMs = 200_000;
const sha256OfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/** A redirect is reported and not followed: the signature holds for one host only. */
const answers = [301, 307, 400, 401, 403, 404];

export function openBucket(config: BucketConfig, host: Host): Bucket {
	const base = baseAddress(config);
	async function ask(path: string, query: string, bytesMax: number, step: Step): Promise<Fetched> {
		const { accessKeyId, secretAccessKey, region } = config;
		const datetime = host.world
			.now()
			.toISOString()
			.replace(/[:-]|\.\d{3}/g, "");
		const headers = { "x-amz-content-sha256": sha256OfNothing };
		const url = `${base}/${path}${query}`;
		const signed = await new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: "s3", headers, datetime }).sign();
		const timeoutMs = bytesMax > listBytesMax ? objectTimeoutMs : limits.fetchTimeoutMs;
		return host.fetch(url, { signal: step.signal, bytesMax, timeoutMs, headers: Object.fromEntries(signed.headers), answers });
	}
	return {
		async list(token, pageMax, step) {
			const query = { "encoding-type": "url", "list-type": "2", "max-keys": String(pageMax), prefix: config.prefix, "continuation-token": token ?? "" };
			const written = Object.entries(query).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${encodeURIComponent(value)}`]));
			const answer = await ask("", `?${written.join("&")}`, listBytesMax, step);
			if (answer.status !== 200) throw refusal(answer, config);
			return parseListPage(new TextDecoder().decode(answer.bytes)) ?? notS3();
		},
		async get(key, bytesMax, step) {
			const answer = await ask(key.split("/").map(encodeURIComponent).join("/"), "", bytesMax, step);
			if (answer.status === 404 && errorCodeOf(answer.bytes) !== "NoSuchBucket") return null;
			if (answer.status !== 200) throw refusal(answer, config);
			return answer;
		},
	};
}

/** The bucket is in the host name on AWS; it is in the path elsewhere, and when it has dots, which certificates do not match. */
function baseAddress({ endpoint, bucket, region }: BucketConfig): string {
	if (endpoint !== "") return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
	const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
	return /[.A-Z_]/.test(bucket) ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`;
}

/** Region errors come as 301 or 400; other errors are distinguished by status. */
function refusal({ status, bytes, headers }: Fetched, { bucket }: BucketConfig) {
	const code = errorCodeOf(bytes);
	const answered = `bucket ${bucket} answered with status ${status}${code === null ? "" : ` (${code})`}`;
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, answered);
	if (status === 403) return fail("CONNECTION_FORBIDDEN", provider, answered);
	if (status === 404) return fail("CONNECTION_SOURCE_MISSING", provider, answered);
	const region = /^[a-z0-9-]{2,40}$/.exec(headers.get("x-amz-bucket-region") ?? "")?.[0];
	const isRegion = status === 301 || status === 307 || code === "AuthorizationHeaderMalformed" || code === "IllegalLocationConstraintException";
	if (isRegion) return fail("CONNECTION_INVALID", provider, "region", `the bucket is in ${region === undefined ? "another region" : `the region ${region}`}`);
	return fail("CONNECTION_INVALID", provider, "the request", answered);
}

function notS3(): never {
	throw fail("CONNECTION_INVALID", provider, "endpoint", "what answers there does not speak S3: ListObjectsV2 gave no list");
}

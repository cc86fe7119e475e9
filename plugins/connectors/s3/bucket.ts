/** Sends signed requests to a bucket through the guarded fetch, and reports refusals without secrets. */

import { type Fetched, fail, type Host, limits, type Step } from "cairn-memory";
import { errorCodeOf, type ListPage, parseListPage } from "../../s3-client/list-page.ts";
import { bucketUrl, signedHeaders } from "../../s3-client/sign-request.ts";
import { patientFetch } from "../patient-fetch.ts";
import { type BucketConfig, provider } from "./config.ts";

export interface Bucket {
	/** One page of the object list. `token` comes from the page before; null asks for the first page. @param prefix in place of the connection's */
	readonly list: (token: string | null, pageMax: number, step: Step, prefix?: string) => Promise<ListPage>;
	/** Null if the object no longer exists. @throws ITEM_REFUSED for an object that may be listed but not read. */
	readonly get: (key: string, bytesMax: number, step: Step) => Promise<Fetched | null>;
}

/** Enough for a thousand names of a thousand bytes, each escaped as `%FF`, and their markup. */
const listBytesMax = 8 * 1024 * 1024;
/** Enough for fifty megabytes at two megabits per second. */
const objectTimeoutMs = 200_000;
/** Status codes that are returned instead of thrown. Redirects are not followed, because a signature is valid for one host only. */
const returnedStatuses = [301, 302, 303, 307, 308, 400, 401, 403, 404];

/** A policy or an encryption key of the object, or an archive: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
const objectCodes: ReadonlySet<string> = new Set(["AccessDenied", "InvalidObjectState"]);

export function openBucket(config: BucketConfig, host: Host): Bucket {
	const base = bucketUrl(config);
	async function request(path: string, query: string, bytesMax: number, step: Step): Promise<Fetched> {
		const url = `${base}/${path}${query}`;
		const { accessKeyId, secretAccessKey, region } = config;
		const headers = await signedHeaders({ method: "GET", url }, { accessKeyId, secretAccessKey, region }, host.world.now());
		const timeoutMs = bytesMax > listBytesMax ? objectTimeoutMs : limits.fetchTimeoutMs;
		return patientFetch(url, { signal: step.signal, bytesMax, timeoutMs, headers, answers: returnedStatuses }, host);
	}
	return {
		async list(token, pageMax, step, prefix = config.prefix) {
			const query = { "encoding-type": "url", "list-type": "2", "max-keys": String(pageMax), prefix, "continuation-token": token ?? "" };
			const parameters = Object.entries(query).flatMap(([name, value]) => (value === "" ? [] : [`${name}=${encodeURIComponent(value)}`]));
			const response = await request("", `?${parameters.join("&")}`, listBytesMax, step);
			if (response.status !== 200) throw refusalError(response, config);
			return parseListPage(new TextDecoder().decode(response.bytes)) ?? notS3();
		},
		async get(key, bytesMax, step) {
			const response = await request(key.split("/").map(encodeURIComponent).join("/"), "", bytesMax, step);
			if (response.status === 404 && errorCodeOf(response.bytes) !== "NoSuchBucket") return null;
			const code = response.status === 403 ? errorCodeOf(response.bytes) : null;
			if (code !== null && objectCodes.has(code)) throw fail("ITEM_REFUSED", JSON.stringify(key), `status 403 (${code})`);
			if (response.status !== 200) throw refusalError(response, config);
			return response;
		},
	};
}

/** A wrong region is reported with status 301, 307 or 400. Other errors are distinguished by status. */
function refusalError({ status, bytes, headers }: Fetched, { bucket }: BucketConfig) {
	const code = errorCodeOf(bytes);
	const message = `bucket ${bucket} answered with status ${status}${code === null ? "" : ` (${code})`}`;
	// It says nothing of the keys, and syncs go on once somebody has set the clock.
	if (code === "RequestTimeTooSkewed") return fail("ADDRESS_FAILED", bucket, "its clock and the one of this server differ by more than fifteen minutes");
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
	throw fail(
		"CONNECTION_INVALID",
		provider,
		"endpoint",
		"the server there is no S3 service: its response to ListObjectsV2 is not a list of objects, or does not say how it goes on",
	);
}

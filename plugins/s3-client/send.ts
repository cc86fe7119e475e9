/** Sends signed requests to a bucket, and repeats those that fail for a reason that may pass. Every request of this client may be repeated. */

import { type Fetched, fail, type GuardedFetch, limits, ServiceError, type World } from "cairn-memory";
import { errorCodeOf } from "./list-page.ts";
import type { S3Location } from "./location.ts";
import { signedHeaders } from "./sign-request.ts";

export interface S3Request {
	readonly method: "GET" | "PUT" | "POST" | "DELETE";
	/** Below the prefix of the location; empty for a request to the bucket. */
	readonly key: string;
	/** Values are not encoded yet. */
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array;
	/** Status codes that are an answer and no failure, besides 200, 204 and 206. */
	readonly expected?: readonly number[];
}

export type S3Response = Pick<Fetched, "status" | "headers" | "bytes">;

export interface Connection {
	/** @throws ServiceError `BUCKET_UNAVAILABLE` */
	readonly send: (request: S3Request) => Promise<S3Response>;
	/** The error for a response that is not what S3 should answer. */
	readonly unavailable: (reason: string) => ServiceError;
}

export interface ConnectionParts {
	readonly fetch: GuardedFetch;
	readonly world: Pick<World, "now" | "sleep" | "random">;
	/** For one request, with all its bytes. */
	readonly timeoutMs?: number;
}

/** A part of 8 MiB takes this long at half a megabit per second. */
const usualTimeoutMs = 150_000;
/** The largest response: a part of an object, or a page of a list with a thousand escaped names. */
const responseBytesMax = 16 * 1024 * 1024;
const attemptsMax = 5;
const pauseMsMax = 20_000;
/** The pause before a job is tried again: after an outage, and after a refusal, which an operator has to correct. */
const retryMs = { outage: 5_000, refusal: 60_000 } as const;
/** All error statuses are returned by the guarded fetch instead of followed or thrown. */
const returnedStatuses = Array.from({ length: 300 }, (_, i) => 300 + i);
/** What S3 answers with status 400 or 403 although the same request succeeds later. */
const temporaryCodes: ReadonlySet<string> = new Set(["RequestTimeout", "SlowDown", "Throttling", "RequestTimeTooSkewed"]);

interface Failure {
	readonly reason: string;
	readonly mayPass: boolean;
	readonly pauseMs: number;
}

export function connect({ bucket, prefix, baseUrl, keys }: S3Location, { fetch, world, timeoutMs = usualTimeoutMs }: ConnectionParts): Connection {
	const unavailable = (reason: string, afterMs: number = retryMs.outage) => fail("BUCKET_UNAVAILABLE", bucket, reason).after(afterMs);

	async function attempt({ method, key, query = {}, headers, body, expected = [] }: S3Request): Promise<S3Response | Failure> {
		const parameters = Object.entries(query).map(([name, value]) => (value === "" ? name : `${name}=${encodeURIComponent(value)}`));
		const url = `${baseUrl}/${key === "" ? "" : escapePath(`${prefix}${key}`)}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`;
		const signed = await signedHeaders({ method, url, ...(headers && { headers }), body }, keys, world.now());
		const options = { signal: new AbortController().signal, bytesMax: responseBytesMax, timeoutMs, headers: signed, answers: returnedStatuses };
		const sent = method === "POST" ? { body: body ?? new Uint8Array() } : { ...(body && { body }), ...(method !== "GET" && { method }) };
		const response = await fetch(url, { ...options, ...sent }).catch(networkFailure);
		if ("reason" in response) return response;
		// S3 may send status 200 before it has completed an upload in parts, and an error after that. An object may be an error, too.
		const code = response.status < 300 && method !== "POST" ? null : errorCodeOf(response.bytes);
		const isFine = response.status < 300 && code === null;
		const isExpected = expected.includes(response.status) && code !== "NoSuchBucket";
		return isFine || isExpected ? response : failureOf(response, code);
	}

	async function send(request: S3Request): Promise<S3Response> {
		for (let tries = 1; ; tries++) {
			const outcome = await attempt(request);
			if (!("reason" in outcome)) return outcome;
			if (!outcome.mayPass || tries === attemptsMax) throw unavailable(outcome.reason, outcome.mayPass ? retryMs.outage : retryMs.refusal);
			const pauseMs = Math.min(100 * 2 ** tries, pauseMsMax) * (1 - world.random() / 2);
			await world.sleep(Math.max(pauseMs, outcome.pauseMs), new AbortController().signal);
		}
	}

	return { send, unavailable };
}

function escapePath(path: string): string {
	return path.split("/").map(encodeURIComponent).join("/");
}

function networkFailure(thrown: unknown): Failure {
	if (!(thrown instanceof ServiceError)) throw thrown;
	return { reason: thrown.message, mayPass: thrown.mayPass, pauseMs: 0 };
}

/** The message has the code of the error only, because other parts of the response repeat keys and signatures. */
function failureOf({ status, headers }: S3Response, code: string | null): Failure {
	const mayPass = status < 300 || status >= 500 || status === 429 || status === 408 || (code !== null && temporaryCodes.has(code));
	const seconds = Number(headers.get("retry-after") ?? 0);
	const region = /^[a-z0-9-]{2,40}$/.exec(headers.get("x-amz-bucket-region") ?? "")?.[0];
	const isElsewhere = region !== undefined && (status === 301 || status === 307 || code === "AuthorizationHeaderMalformed");
	const reason = `it answered with status ${status}${code === null ? "" : ` (${code})`}${isElsewhere ? `: it is in the region ${region}` : ""}`;
	return { reason, mayPass, pauseMs: Number.isFinite(seconds) ? Math.min(seconds * 1_000, limits.fetchPauseMaxMs) : 0 };
}

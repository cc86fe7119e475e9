/** Sends signed requests to a bucket that the operator has named, and repeats what may succeed later. */

import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";
import type { World } from "../../../core/ports/world.ts";
import { addressesOf, guardOf, networkError } from "../../boot/network/guarded-fetch.ts";
import { pinnedRequest } from "../../boot/network/pinned-request.ts";
import { readBody } from "../../boot/network/read-body.ts";
import { redactAddress } from "../../boot/network/redact-address.ts";
import type { Settings } from "../../settings/settings.ts";
import { bucketUrl, type S3Address } from "./s3-address.ts";
import { errorCodeOf } from "./s3-xml.ts";

export interface S3Call {
	readonly method: "GET" | "PUT" | "POST" | "DELETE";
	/** Empty for the bucket itself. */
	readonly key: string;
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array;
	/** Statuses that are returned instead of thrown, besides 2xx. */
	readonly answers?: readonly number[];
}

export interface S3Response {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly bytes: Uint8Array;
	/** Whether an earlier attempt may have had its effect, without its response arriving. */
	readonly isRepeated: boolean;
}

/** @throws ServiceError `BACKUP_TARGET_FAILED` */
export type S3Client = (call: S3Call) => Promise<S3Response>;

export interface S3Patience {
	/** For one request, with all its bytes. */
	readonly timeoutMs: number;
	readonly pauseMs: number;
}

/** Eight megabytes in two minutes are half a megabit per second. */
const usualPatience: S3Patience = { timeoutMs: 120_000, pauseMs: 500 };
const attemptsMax = 5;
/** More than one piece of a file, and than a list of a thousand names. */
const responseBytesMax = 16 * 1024 * 1024;

export function createS3Client(address: S3Address, keys: Settings["s3"], world: Pick<World, "now" | "sleep">, patience = usualPatience): S3Client {
	const { url: base, region } = bucketUrl(address, keys);
	const { accessKeyId, secretAccessKey, sessionToken } = keys;
	const shown = `s3://${address.bucket}`;
	if (accessKeyId === null || secretAccessKey === null) throw fail("BACKUP_TARGET_FAILED", shown, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set");
	const guard = guardOf({ allow: [new URL(base).host] });

	async function attempt(
		{ method, key, query = {}, headers = {}, body = new Uint8Array() }: S3Call,
		signal: AbortSignal,
	): Promise<Omit<S3Response, "isRepeated">> {
		const parameters = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
		const url = new URL(`${base}/${key.split("/").map(encodeURIComponent).join("/")}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}`);
		const datetime = world
			.now()
			.toISOString()
			.replace(/[:-]|\.\d{3}/g, "");
		const signed = await new AwsV4Signer({
			...{ url: url.href, method, region, service: "s3", datetime, accessKeyId: accessKeyId ?? "", secretAccessKey: secretAccessKey ?? "" },
			...(sessionToken !== null && { sessionToken }),
			headers: { ...headers, "x-amz-content-sha256": createHash("sha256").update(body).digest("hex") },
		}).sign();
		const response = await pinnedRequest({
			...{ url, method, addresses: await addressesOf(url, guard), headers: Object.fromEntries(signed.headers) },
			...(method === "GET" || method === "DELETE" ? {} : { body }),
			signal,
		});
		return { status: response.statusCode ?? 0, headers: response.headers, bytes: await readBody(response, responseBytesMax) };
	}

	async function attemptInTime(call: S3Call): Promise<Omit<S3Response, "isRepeated"> | ServiceError> {
		// Not `AbortSignal.timeout`, which keeps the request and all its bytes until the time is over.
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), patience.timeoutMs);
		try {
			return await attempt(call, timeout.signal);
		} catch (thrown) {
			return unreached(thrown, timeout.signal.aborted, shown, base);
		} finally {
			clearTimeout(timer);
		}
	}

	return async (call) => {
		for (let tries = 1; ; tries++) {
			const outcome = await attemptInTime(call);
			const isFinal = tries === attemptsMax;
			if (!("status" in outcome)) {
				if (isFinal || !outcome.mayPass) throw outcome;
			} else if ((outcome.status >= 200 && outcome.status < 300) || call.answers?.includes(outcome.status)) return { ...outcome, isRepeated: tries > 1 };
			else if (isFinal || !mayPass(outcome.status)) throw refusal(outcome, shown);
			await world.sleep(patience.pauseMs * 2 ** (tries - 1), new AbortController().signal);
		}
	};
}

function mayPass(status: number): boolean {
	return status >= 500 || status === 429 || status === 408;
}

/** The error of a request that got no response, or not all of it. */
function unreached(thrown: unknown, isTimeout: boolean, shown: string, base: string): ServiceError {
	const { args } = networkError(thrown, redactAddress(base));
	return fail("BACKUP_TARGET_FAILED", shown, isTimeout ? "it does not respond in time" : String(args[1] ?? "the connection broke")).because(thrown);
}

/** Messages of S3 are left out, because they repeat keys and signatures. */
function refusal({ status, headers, bytes }: Pick<S3Response, "status" | "headers" | "bytes">, shown: string): ServiceError {
	const code = errorCodeOf(bytes);
	const region = /^[a-z0-9-]{2,40}$/.exec(String(headers["x-amz-bucket-region"] ?? ""))?.[0];
	const isElsewhere = status === 301 || status === 307 || code === "AuthorizationHeaderMalformed";
	if (isElsewhere && region !== undefined) return fail("BACKUP_TARGET_FAILED", shown, `it is in the region ${region}`);
	return fail("BACKUP_TARGET_FAILED", shown, `it answered with status ${status}${code === null ? "" : ` (${code})`}`);
}

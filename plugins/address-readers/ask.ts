/** Sends requests to the public API of a service, and converts unexpected responses to errors. */

import { type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import type { z } from "zod";

/** The context of requests to a service for one URL. */
export interface ApiRequest {
	readonly host: Host;
	readonly step: Step;
	/** The URL that the client sent, for error messages. */
	readonly url: URL;
	/** A larger limit, for services that return long threads in one response. */
	readonly dataBytesMax?: number;
}

/** The limit of JSON responses. Parsing takes many times their length in memory, and the server may be hostile: any server may claim to run Mastodon. */
const postBytesMax = 2 * 1024 * 1024;
/** Statuses that are handled here. The HTTP client handles other failures. */
const handledStatuses = [400, 401, 403, 404, 410, 451];

export async function sendRequest(
	{ host, step, dataBytesMax = postBytesMax }: ApiRequest,
	url: string,
	accept = "application/json",
	body?: Uint8Array,
): Promise<Fetched> {
	const headers = { "accept-language": "en", ...(body !== undefined && { "content-type": "application/json" }) };
	const bounds = { signal: step.signal, bytesMax: accept === "application/json" ? dataBytesMax : limits.fetchedBytesMax, timeoutMs: limits.fetchTimeoutMs };
	return await host.fetch(url, { ...bounds, accept, headers, answers: handledStatuses, ...(body !== undefined && { body }) });
}

/** @throws ServiceError for an error status: `ADDRESS_GONE`, `ADDRESS_PRIVATE`, `ADDRESS_REFUSED`. */
export function requireSuccess({ status }: Fetched, { url: about }: ApiRequest): void {
	if (status < 300) return;
	if (status === 404 || status === 410) throw goneError(about, `the service responded with status ${status}`);
	if (status === 401) throw privateError(about, "the service requires authentication");
	throw fail("ADDRESS_REFUSED", urlWithoutQuery(about), status);
}

/** The response as JSON of this shape. @throws ServiceError `ADDRESS_CHANGED` if it is anything else */
export function jsonOf<Shape extends z.ZodType>(fetched: Fetched, shape: Shape): z.output<Shape> {
	const result = shape.safeParse(parseJson(fetched));
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw unexpectedResponse(fetched.address, `${issue?.path.join(".") || "the response"}: ${issue?.message ?? "has an unexpected shape"}`);
}

function parseJson({ bytes, address }: Fetched): unknown {
	const text = new TextDecoder().decode(bytes).trim();
	if (text === "") throw unexpectedResponse(address, "its response is empty");
	try {
		return JSON.parse(text);
	} catch {
		throw unexpectedResponse(address, text.startsWith("<") ? "it returned a web page in place of data" : "its response is not JSON");
	}
}

export function unexpectedResponse(service: URL, why: string): ServiceError {
	return fail("ADDRESS_CHANGED", service.host, why);
}

export function goneError(about: URL, why: string): ServiceError {
	return fail("ADDRESS_GONE", urlWithoutQuery(about), why);
}

export function privateError(about: URL, why: string): ServiceError {
	return fail("ADDRESS_PRIVATE", urlWithoutQuery(about), why);
}

/**
 * Returns null in place of a ServiceError, for optional requests. If the signal is aborted, that error is still thrown.
 * @param errors collects the errors
 */
export async function nullOnError<Value>(request: Promise<Value>, { step }: ApiRequest, errors: ServiceError[] = []): Promise<Value | null> {
	try {
		return await request;
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError)) throw thrown;
		errors.push(thrown);
		return null;
	}
}

/** The URL without its query, which may contain secrets. */
function urlWithoutQuery({ origin, pathname }: URL): string {
	return origin + pathname;
}

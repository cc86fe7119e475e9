/** Sends requests to the public API of a service, and turns unexpected responses into errors. */

import { type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import type { z } from "zod";

/** A request to a service, and the address it is made for. */
export interface Asked {
	readonly host: Host;
	readonly step: Step;
	/** The address that the client sent, for errors. */
	readonly about: URL;
	/** For a service that returns long threads in one response. */
	readonly dataBytesMax?: number;
}

/** Parsing takes many times the length in memory, and the server may be hostile: any server may claim to run Mastodon. */
const postBytesMax = 2 * 1024 * 1024;
/** Statuses that are handled here; other failures are left to the HTTP client. */
const answers = [400, 401, 403, 404, 410, 451];

export async function ask({ host, step, dataBytesMax = postBytesMax }: Asked, url: string, accept = "application/json", body?: Uint8Array): Promise<Fetched> {
	const headers = { "accept-language": "en", ...(body !== undefined && { "content-type": "application/json" }) };
	const bounds = { signal: step.signal, bytesMax: accept === "application/json" ? dataBytesMax : limits.fetchedBytesMax, timeoutMs: limits.fetchTimeoutMs };
	return await host.fetch(url, { ...bounds, accept, headers, answers, ...(body !== undefined && { body }) });
}

/** @throws ServiceError for an error status: `ADDRESS_GONE`, `ADDRESS_PRIVATE`, `ADDRESS_REFUSED`. */
export function demandSuccess({ status }: Fetched, { about }: Asked): void {
	if (status < 300) return;
	if (status === 404 || status === 410) throw gone(about, `the service answered with status ${status}`);
	if (status === 401) throw hidden(about, "the service wants to know who asks");
	throw fail("ADDRESS_REFUSED", shown(about), status);
}

/** The response as JSON of this shape. @throws ServiceError `ADDRESS_CHANGED` when it is anything else. */
export function jsonOf<Shape extends z.ZodType>(fetched: Fetched, shape: Shape): z.output<Shape> {
	const read = shape.safeParse(parsed(fetched));
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	throw changed(fetched.address, `${issue?.path.join(".") || "the answer"}: ${issue?.message ?? "is of another shape"}`);
}

function parsed({ bytes, address }: Fetched): unknown {
	const text = new TextDecoder().decode(bytes).trim();
	if (text === "") throw changed(address, "its answer is empty");
	try {
		return JSON.parse(text);
	} catch {
		throw changed(address, text.startsWith("<") ? "it sent a web page where data was expected" : "its answer is no JSON");
	}
}

export function changed(service: URL, why: string): ServiceError {
	return fail("ADDRESS_CHANGED", service.host, why);
}

export function gone(about: URL, why: string): ServiceError {
	return fail("ADDRESS_GONE", shown(about), why);
}

export function hidden(about: URL, why: string): ServiceError {
	return fail("ADDRESS_PRIVATE", shown(about), why);
}

/**
 * Null in place of a ServiceError, for an optional second source. An aborted signal is still thrown.
 * @param troubles collects the errors.
 */
export async function orNull<Value>(asking: Promise<Value>, { step }: Asked, troubles: ServiceError[] = []): Promise<Value | null> {
	try {
		return await asking;
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError)) throw thrown;
		troubles.push(thrown);
		return null;
	}
}

/** Without the part after `?`, which may contain secrets. */
function shown({ origin, pathname }: URL): string {
	return origin + pathname;
}

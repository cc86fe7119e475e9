/** Sends the requests of the OAuth library through the guarded fetch, in the dialect of the service. */

import { type Host, limits, type Step } from "cairn-memory";
import { jsonOf } from "./json-of.ts";

/** A token endpoint answers errors with these; a response of any other status is thrown by the guarded fetch. */
const errorStatuses = [400, 401, 403];
const responseBytesMax = 256 * 1024;

export interface Dialect {
	/** Whether it takes JSON in place of forms. */
	readonly takesJson?: boolean;
	/** What every request says besides. */
	readonly headers?: Readonly<Record<string, string>>;
}

interface Sent {
	readonly headers?: Readonly<Record<string, string>> | Headers;
	readonly body?: unknown;
}

export type LibraryFetch = (url: string, sent: Sent) => Promise<Response>;

export function oauthFetch(host: Host, step: Step, { takesJson = false, headers: more = {} }: Dialect = {}): LibraryFetch {
	return async (url, { headers = {}, body }) => {
		const form = String(body);
		const asJson = { "content-type": "application/json", ...more };
		const {
			status,
			headers: received,
			bytes,
		} = await host.fetch(url, {
			signal: step.signal,
			timeoutMs: limits.fetchTimeoutMs,
			bytesMax: responseBytesMax,
			accept: "application/json",
			headers: { ...Object.fromEntries(new Headers(headers)), ...(takesJson ? asJson : more) },
			body: new TextEncoder().encode(takesJson ? JSON.stringify(Object.fromEntries(new URLSearchParams(form))) : form),
			answers: errorStatuses,
		});
		return read(status, received.get("content-type") ?? "", bytes);
	};
}

/** Some services answer errors with status 200, and name what there is not as null; the library takes neither. */
function read(status: number, type: string, bytes: Uint8Array): Response {
	const json = jsonOf(bytes);
	const headers = { "content-type": type };
	if (typeof json !== "object" || json === null || Array.isArray(json)) return new Response(new Uint8Array(bytes), { status, headers });
	const members = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
	const isError = status === 200 && typeof members["error"] === "string" && !("access_token" in members);
	return new Response(JSON.stringify(members), { status: isError ? 400 : status, headers });
}

/** Sends the requests of the OAuth library through the guarded fetch. */

import { type Host, limits, type Step } from "cairn-memory";

/** A token endpoint answers errors with these; a response of any other status is thrown by the guarded fetch. */
const errorStatuses = [400, 401, 403];
const responseBytesMax = 256 * 1024;

interface Sent {
	readonly headers?: Readonly<Record<string, string>> | Headers;
	readonly body?: unknown;
}

export type LibraryFetch = (url: string, sent: Sent) => Promise<Response>;

export function oauthFetch(host: Host, step: Step): LibraryFetch {
	return async (url, { headers = {}, body }) => {
		const {
			status,
			headers: received,
			bytes,
		} = await host.fetch(url, {
			signal: step.signal,
			timeoutMs: limits.fetchTimeoutMs,
			bytesMax: responseBytesMax,
			accept: "application/json",
			headers: Object.fromEntries(new Headers(headers)),
			body: new TextEncoder().encode(String(body)),
			answers: errorStatuses,
		});
		return new Response(new Uint8Array(bytes), { status, headers: { "content-type": received.get("content-type") ?? "" } });
	};
}

/** Gives the guarded fetch, which reaches only allowed hosts, the signature that the libraries expect. */

import { fail, type Host, ServiceError, withoutSecrets } from "cairn-memory";

/** Far more than a response of a few thousand tokens. */
const bytesMax = 8 * 1024 * 1024;
/** All error statuses, including redirects, are passed to the library. */
const returnedStatuses = Array.from({ length: 300 }, (_, i) => 300 + i);
/** Headers of the library that are not sent; the guarded fetch sets its own. */
const droppedHeaders = new Set(["user-agent", "content-length"]);

export type LibraryFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** @param name of the provider, for error messages. */
export function libraryFetch(host: Host, name: string, timeoutMs: number): LibraryFetch {
	return async (input, init = {}) => {
		const { method = "GET", body } = init;
		if (method !== "POST" || typeof body !== "string") throw fail("MODEL_DECLINED", name, "the library may only send POST requests with a text body");
		const headers = Object.fromEntries([...new Headers(init.headers)].filter(([header]) => !droppedHeaders.has(header)));
		const signal = init.signal ?? new AbortController().signal;
		try {
			const fetched = await host.fetch(String(input), {
				signal,
				timeoutMs,
				bytesMax,
				accept: "application/json",
				headers,
				answers: returnedStatuses,
				body: new TextEncoder().encode(body),
			});
			const text = new TextDecoder().decode(fetched.bytes);
			// Secrets are removed here, because the library makes an error of this text, which may be logged.
			return new Response(fetched.status < 300 ? text : withoutSecrets(text, headers), {
				status: fetched.status,
				headers: [...fetched.headers].filter(([header]) => header !== "content-encoding"),
			});
		} catch (thrown) {
			throw signal.aborted || !(thrown instanceof ServiceError) ? thrown : modelError(thrown, name);
		}
	};
}

/** An error without the URL, which may contain secrets. */
function modelError(thrown: ServiceError, name: string): ServiceError {
	if (thrown.code === "FILE_TOO_LARGE") return fail("MODEL_DECLINED", name, "its response is too long").because(thrown);
	if (thrown.mayPass) return fail("MODEL_UNAVAILABLE", name, String(thrown.args[1] ?? "the connection was lost")).because(thrown);
	return fail("MODEL_REFUSED", name, thrown.message).because(thrown);
}

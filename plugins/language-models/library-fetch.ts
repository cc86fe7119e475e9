/** The guarded fetch in the form that the library wants: it reaches only allowed addresses. */

import { fail, type Host, ServiceError, withoutSecrets } from "cairn-memory";

/** An answer holds a few thousand tokens. */
const bytesMax = 8 * 1024 * 1024;
/** All statuses are passed to the library, including redirects. */
const answers = Array.from({ length: 300 }, (_, i) => 300 + i);
/** Set by the library or by us, never by the caller. */
const unsent = new Set(["user-agent", "content-length"]);

export type LibraryFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** @param name of the provider, for errors. */
export function libraryFetch(host: Host, name: string, timeoutMs: number): LibraryFetch {
	return async (input, init = {}) => {
		const { method = "GET", body } = init;
		if (method !== "POST" || typeof body !== "string") throw fail("MODEL_DECLINED", name, "only texts are posted");
		const headers = Object.fromEntries([...new Headers(init.headers)].filter(([header]) => !unsent.has(header)));
		const signal = init.signal ?? new AbortController().signal;
		try {
			const fetched = await host.fetch(String(input), {
				signal,
				timeoutMs,
				bytesMax,
				accept: "application/json",
				headers,
				answers,
				body: new TextEncoder().encode(body),
			});
			const said = new TextDecoder().decode(fetched.bytes);
			// Before the library makes an error of it, whose every part may come to a log.
			return new Response(fetched.status < 300 ? said : withoutSecrets(said, headers), {
				status: fetched.status,
				headers: [...fetched.headers].filter(([header]) => header !== "content-encoding"),
			});
		} catch (thrown) {
			throw signal.aborted || !(thrown instanceof ServiceError) ? thrown : told(thrown, name);
		}
	};
}

/** In our own words: an address may contain secrets. */
function told(thrown: ServiceError, name: string): ServiceError {
	if (thrown.code === "FILE_TOO_LARGE") return fail("MODEL_DECLINED", name, "its answer is endless").because(thrown);
	if (thrown.mayPass) return fail("MODEL_UNAVAILABLE", name, String(thrown.words[1] ?? "the connection broke")).because(thrown);
	return fail("MODEL_REFUSED", name, thrown.message).because(thrown);
}

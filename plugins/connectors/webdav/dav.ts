/** Requests to a WebDAV server through the guarded fetch, with the name and the password of the connection, to its host alone. */

import { type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import { fetchAtHome } from "../fetch-at-home.ts";
import { type DavConfig, provider } from "./config.ts";
import { propertyRequest, type Resource, readMultistatus } from "./multistatus.ts";

export interface Dav {
	/** A folder and what is in it, or the folder alone; null if it is not there. @throws ServiceError */
	readonly list: (url: URL, depth: 0 | 1, step: Step) => Promise<readonly Resource[] | null>;
	/** Null if the file is not there any more. @throws ServiceError */
	readonly get: (url: URL, step: Step) => Promise<Fetched | null>;
}

/** Enough for some twenty thousand files in one folder. */
const listBytesMax = 16 * 1024 * 1024;
/** Enough for fifty megabytes at two megabits per second. */
const fileTimeoutMs = 200_000;
const returnedStatuses = [400, 401, 403, 404, 405, 410, 501];

export function openDav(config: DavConfig, host: Host): Dav {
	const authorization = `Basic ${Buffer.from(`${config.username}:${config.password}`).toString("base64")}`;

	async function request(url: URL, options: Omit<Parameters<Host["fetch"]>[1], "signal" | "answers">, step: Step): Promise<Fetched | null> {
		const headers = { authorization, ...options.headers };
		const fetched = await fetchAtHome(url.href, { ...options, headers, signal: step.signal, answers: returnedStatuses }, host);
		if (fetched === null) throw fail("CONNECTION_INVALID", provider, "url", "it redirects to another host, or in a circle");
		if (fetched.status === 404 || fetched.status === 410) return null;
		if (fetched.status >= 400) throw refusal(fetched);
		return fetched;
	}

	return {
		list: async (url, depth, step) => {
			const headers = { depth: String(depth), "content-type": "application/xml; charset=utf-8" };
			const body = new TextEncoder().encode(propertyRequest);
			const options = { method: "PROPFIND", headers, body, bytesMax: listBytesMax, timeoutMs: limits.fetchTimeoutMs } as const;
			const fetched = await request(url, options, step);
			if (fetched === null) return null;
			const resources = fetched.status === 207 ? readMultistatus(fetched.bytes, fetched.address) : null;
			return resources ?? notDav();
		},
		get: async (url, step) => {
			try {
				return await request(url, { bytesMax: limits.fileBytesMax, timeoutMs: fileTimeoutMs }, step);
			} catch (thrown) {
				// A server may let nobody read what it lists, and says nothing of the others with it.
				if (!(thrown instanceof ServiceError) || thrown.code !== "CONNECTION_FORBIDDEN") throw thrown;
				throw fail("ITEM_REFUSED", JSON.stringify(url.pathname.split("/").at(-1)), String(thrown.args[1]));
			}
		},
	};
}

function refusal({ status }: Fetched): ServiceError {
	if (status === 401) return fail("CONNECTION_UNAUTHORIZED", provider, "the server answered with status 401");
	if (status === 403) return fail("CONNECTION_FORBIDDEN", provider, "the server answered with status 403");
	return notDav();
}

function notDav(): never {
	throw fail("CONNECTION_INVALID", provider, "url", "the server there does not speak WebDAV: it does not answer PROPFIND with a list");
}

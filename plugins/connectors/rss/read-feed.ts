/** Asks for a feed, and reads it in the sandbox. */

import { type Fetched, fail, type Host, limits, ServiceError, type Step } from "cairn-memory";
import { fetchAtHome } from "../fetch-at-home.ts";
import { provider } from "./config.ts";
import type { Feed } from "./feed.ts";
import type { FeedInput } from "./feed-engine.ts";

/** What the server said of the feed's version, to ask only for a newer one. */
export type Validators = {
	readonly etag: string | null;
	readonly modified: string | null;
};

export const unvalidated: Validators = { etag: null, modified: null };

export interface ReadFeed extends Feed {
	readonly validators: Validators;
}

const accept = "application/rss+xml, application/atom+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1";
const engineLimits = { timeoutMs: 60_000, memoryMb: 512, outputBytesMax: 64 * 1024 * 1024 } as const;
const unchanged = 304;
/** The cursor keeps them; no server needs longer ones. */
const validatorCharactersMax = 1_000;

/** Null if it is the same as when the validators were given. @throws ServiceError */
export async function readFeed(url: string, validators: Validators, host: Host, step: Step): Promise<ReadFeed | null> {
	const headers = {
		...(validators.etag !== null && { "if-none-match": validators.etag }),
		...(validators.modified !== null && { "if-modified-since": validators.modified }),
	};
	const options = { signal: step.signal, timeoutMs: limits.fetchTimeoutMs, bytesMax: limits.fetchedBytesMax, accept, headers };
	const fetched = await fetchAtHome(url, { ...options, answers: [unchanged, 401, 403, 404, 410] }, host);
	if (fetched === null) throw fail("CONNECTION_INVALID", provider, "feedUrl", "it redirects to another host; use the address that it leads to");
	if (fetched.status === unchanged) return null;
	if (fetched.status >= 400) throw refusal(fetched);
	const input: FeedInput = { bytes: fetched.bytes, charset: fetched.charset, url: fetched.address.href };
	try {
		const call = { engine: new URL("./feed-engine.ts", import.meta.url), input, signal: step.signal, ...engineLimits };
		const feed = await host.sandbox.run<FeedInput, Feed>(call);
		const [etag, modified] = ["etag", "last-modified"].map((name) => fetched.headers.get(name)?.slice(0, validatorCharactersMax) ?? null);
		return { ...feed, validators: { etag: etag ?? null, modified: modified ?? null } };
	} catch (thrown) {
		step.signal.throwIfAborted();
		if (!(thrown instanceof ServiceError) || thrown.mayPass) throw thrown;
		throw fail("CONNECTION_INVALID", provider, "feedUrl", `what is there cannot be read as a feed: ${thrown.message}`).because(thrown);
	}
}

function refusal({ status }: Fetched): ServiceError {
	if (status === 404 || status === 410) return fail("CONNECTION_SOURCE_MISSING", provider, `the server answered with status ${status}`);
	return fail("CONNECTION_FORBIDDEN", provider, `the server answered with status ${status}; only feeds without a sign-in are read`);
}

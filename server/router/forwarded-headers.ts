/** Which headers a request takes along to the provider, and which an answer brings back. */

import type { IncomingHttpHeaders } from "node:http";
import { ownKeyHeader } from "../auth/request-guard.ts";

/** They are about one connection, or tell the provider who asks us and from where; names that end in `-` stand for all that begin so. */
const notSent = [
	...["connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-", "te", "trailer", "transfer-encoding", "upgrade"],
	...["accept-encoding", "cookie", "forwarded", "idempotency-key", "origin", "referer", "sec-", "via", "x-forwarded-", "x-real-ip"],
	...["authorization", "x-api-key", "x-sm-", "x-supermemory-"],
];

/** Those about one connection, those that would speak for our own origin, and our own. */
const notReturned = [
	...["connection", "content-length", "keep-alive", "proxy-", "te", "trailer", "transfer-encoding", "upgrade"],
	...["access-control-", "alt-svc", "location", "server", "set-cookie", "strict-transport-security"],
	...["ratelimit", "x-request-id"],
];

const matchesAny = (name: string, names: readonly string[]) => names.some((one) => (one.endsWith("-") ? name.startsWith(one) : name === one));

/**
 * The provider's key is the request's, where Cairn's has its own header; otherwise the one of the settings. Cairn's is never sent.
 *
 * @param providerKey of the settings; null for none
 */
export function forwardedHeaders(headers: Headers, providerKey: string | null): Readonly<Record<string, string>> {
	const own = headers.get(ownKeyHeader);
	const given = own === null ? null : headers.get("authorization");
	const theirs = given === null || given.includes(own ?? "") ? null : given;
	const authorization = theirs ?? (providerKey === null ? null : `Bearer ${providerKey}`);
	return {
		...Object.fromEntries([...headers].filter(([name]) => !matchesAny(name, notSent))),
		...(authorization !== null && { authorization }),
		// The answer is passed on as it comes, and is read meanwhile.
		"accept-encoding": "identity",
	};
}

export function returnedHeaders(headers: IncomingHttpHeaders): Headers {
	const kept = Object.entries(headers).filter(([name]) => !matchesAny(name, notReturned));
	return new Headers(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")] as [string, string]])));
}

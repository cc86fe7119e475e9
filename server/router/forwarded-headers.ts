/** Decides which headers of a request are sent to the provider, and which headers of its response are returned. */

import type { IncomingHttpHeaders } from "node:http";
import { ownKeyHeader } from "../auth/request-guard.ts";

/** Request headers that concern one connection, identify the client, or are for Cairn. A name that ends in `-` matches all names with this prefix. */
const requestHeadersLeftOut = [
	...["connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-", "te", "trailer", "transfer-encoding", "upgrade"],
	...["accept-encoding", "cookie", "forwarded", "idempotency-key", "origin", "referer", "sec-", "via", "x-forwarded-", "x-real-ip"],
	...["authorization", "x-api-key", "x-sm-", "x-supermemory-"],
];

/** Response headers that concern one connection, that would apply to this server's origin, or that this server sets itself. */
const responseHeadersLeftOut = [
	...["connection", "content-length", "keep-alive", "proxy-", "te", "trailer", "transfer-encoding", "upgrade"],
	...["access-control-", "alt-svc", "location", "server", "set-cookie", "strict-transport-security"],
	...["ratelimit", "x-request-id"],
];

const matchesAny = (name: string, names: readonly string[]) => names.some((pattern) => (pattern.endsWith("-") ? name.startsWith(pattern) : name === pattern));

/**
 * The provider's key is that of the `Authorization` header if Cairn's key is in its own header, otherwise the one in the settings.
 * Cairn's key is never sent.
 *
 * @param providerKey the provider's key in the settings; null for none
 */
export function forwardedHeaders(headers: Headers, providerKey: string | null): Readonly<Record<string, string>> {
	const cairnKey = headers.get(ownKeyHeader);
	const authorizationHeader = cairnKey === null ? null : headers.get("authorization");
	const clientAuthorization = authorizationHeader === null || authorizationHeader.includes(cairnKey ?? "") ? null : authorizationHeader;
	const authorization = clientAuthorization ?? (providerKey === null ? null : `Bearer ${providerKey}`);
	return {
		...Object.fromEntries([...headers].filter(([name]) => !matchesAny(name, requestHeadersLeftOut))),
		...(authorization !== null && { authorization }),
		// The response must not be compressed, because it is also parsed while it is passed on.
		"accept-encoding": "identity",
	};
}

export function returnedHeaders(headers: IncomingHttpHeaders): Headers {
	const returned = Object.entries(headers).filter(([name]) => !matchesAny(name, responseHeadersLeftOut));
	return new Headers(returned.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")] as [string, string]])));
}

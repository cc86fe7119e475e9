/**
 * Protects a server on this machine from DNS rebinding: if the name `evil.example` of a web page is changed to resolve to 127.0.0.1, the
 * browser lets the page send requests to this server. These requests have the host `evil.example`, so they are refused before anything else.
 */

import { fail } from "../../core/errors/fail.ts";
import { anyOrigin } from "../wire/responses/headers.ts";

/** Stands for every host. */
export const anyHost = "*";

/** @throws ServiceError `HOST_FORBIDDEN`, `ORIGIN_FORBIDDEN` */
export type DemandKnownHost = (request: Request) => void;

export interface KnownHostsSettings {
	readonly host: string;
	/** Further hosts; null if the operator has named none. */
	readonly hosts: readonly string[] | null;
	readonly corsOrigins: readonly string[];
	readonly oauthAddress: string | null;
}

/** Requests with these methods change nothing, and browsers send an `Origin` with some of them that says nothing about who reads the response. */
const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A server that listens on other addresses than loopback accepts every host, unless the operator names some, because it cannot know the names
 * by which it is reached.
 */
export function createKnownHosts({ host, hosts, corsOrigins, oauthAddress }: KnownHostsSettings): DemandKnownHost {
	if (hosts?.includes(anyHost) === true || (hosts === null && !isLoopback(host))) return () => undefined;
	const known = new Set([host, ...(hosts ?? []), ...(oauthAddress === null ? [] : [new URL(oauthAddress).hostname])].map(canonicalHost));
	const isKnown = (hostname: string) => isLoopback(hostname) || known.has(hostname);

	function isOwnOrAllowed(origin: string): boolean {
		if (corsOrigins.includes(anyOrigin) || corsOrigins.includes(origin)) return true;
		return /^https?:/.test(origin) && URL.canParse(origin) && isKnown(new URL(origin).hostname);
	}

	return ({ url, method, headers }) => {
		// An invalid host header is refused later.
		const hostname = URL.canParse(url) ? new URL(url).hostname : null;
		if (hostname !== null && !isKnown(hostname)) throw fail("HOST_FORBIDDEN", hostname);
		const origin = headers.get("origin");
		if (origin !== null && !readingMethods.has(method) && !isOwnOrAllowed(origin)) throw fail("ORIGIN_FORBIDDEN", origin.slice(0, 200));
	};
}

/** As `URL` writes it: in lower case, and an IPv6 address in brackets. Null if it is not valid. */
export function hostnameOf(text: string): string | null {
	const url = `http://${isBareIpv6(text) ? `[${text}]` : text}`;
	if (!/^[\w.:[\]-]+$/.test(text) || !URL.canParse(url)) return null;
	const { hostname, port, href } = new URL(url);
	return port === "" && href === `http://${hostname}/` ? hostname : null;
}

function isBareIpv6(text: string): boolean {
	return !text.startsWith("[") && text.split(":").length > 2;
}

function canonicalHost(text: string): string {
	return hostnameOf(text) ?? text.toLowerCase();
}

function isLoopback(host: string): boolean {
	const hostname = canonicalHost(host).replace(/\.$/, "");
	return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

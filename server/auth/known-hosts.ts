/**
 * Protects a server on this machine from web pages by DNS rebinding: a page of `evil.example` whose name suddenly leads to 127.0.0.1
 * may ask the server like a page of its own, but its requests name `evil.example`. Such a request is refused before anything else.
 */

import { fail } from "../../core/errors/fail.ts";
import { anyOrigin } from "../wire/responses/headers.ts";

/** Names every host. */
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
 * On another address than loopback every host is known, unless the operator names some: such a server is reached by names that it
 * cannot know.
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
		// A host header that is no host is refused later, as invalid.
		const hostname = URL.canParse(url) ? new URL(url).hostname : null;
		if (hostname !== null && !isKnown(hostname)) throw fail("HOST_FORBIDDEN", hostname);
		const origin = headers.get("origin");
		if (origin !== null && !readingMethods.has(method) && !isOwnOrAllowed(origin)) throw fail("ORIGIN_FORBIDDEN", origin.slice(0, 200));
	};
}

/** As `URL` writes it: in lower case, and an IPv6 address in brackets. Null if it is no host. */
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

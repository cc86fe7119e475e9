/** The only outgoing HTTP client: it connects only to public addresses, checks every redirect, and limits time and bytes. */

import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { fail, ServiceError } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import { charsetOf, parseMediaType } from "../../../core/model/media-type.ts";
import type { Fetched, FetchOptions, GuardedFetch } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import manifest from "../../../package.json" with { type: "json" };
import { fetchedName } from "./fetched-name.ts";
import { errorCode, pinnedRequest } from "./pinned-request.ts";
import { isPublicAddress } from "./public-address.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";
import { redactAddress } from "./redact-address.ts";

export interface GuardOptions {
	/** Hosts that may be private or on any port, such as `wiki.local:8090`. The default port of the scheme is left out. */
	readonly allow: readonly string[];
	readonly log: Log;
	/** Resolves a host name to all its IP addresses. Called once per hop. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
	/** Allowed ports of public hosts. On other ports a crafted URL could send commands to mail servers, Redis or SSH. */
	readonly ports?: readonly number[];
	/** CA certificates in PEM to trust in place of the default ones. */
	readonly authorities?: readonly string[];
}

const redirectsMax = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Whether the status is that of a transient failure. */
const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 408;
const publicPorts = [80, 443, 8080, 8443];
/** How many addresses of a host are tried. */
const addressesTriedMax = 4;
const userAgent = `Cairn/${manifest.version} (+document fetch)`;

export function createGuardedFetch(options: GuardOptions): GuardedFetch {
	const guard = guardOf(options);
	return async (address, call) => {
		const started = performance.now();
		// Not `AbortSignal.timeout`, which keeps the request and all its bytes until the time is over.
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), call.timeoutMs);
		const signal = AbortSignal.any([call.signal, timeout.signal]);
		try {
			const fetched = await follow(address, guard, { ...call, signal }, options.authorities, (response, url) => toFetched(response, url, { ...call, signal }));
			options.log("debug", "fetched", {
				address: redactAddress(fetched.address),
				bytes: fetched.bytes.byteLength,
				ms: Math.round(performance.now() - started),
			});
			return fetched;
		} catch (error) {
			if (call.signal.aborted) throw call.signal.reason;
			const failure = timeout.signal.aborted
				? fail("ADDRESS_FAILED", redactAddress(address), `it took longer than ${call.timeoutMs / 1000} seconds`)
				: networkError(error, address);
			options.log("info", "not fetched", { address: redactAddress(address), code: failure.code, why: failure.message });
			throw failure;
		} finally {
			clearTimeout(timer);
		}
	};
}

/** Downloads files that do not fit into memory: `consume` reads the body of a response with status 200, 206 or 416 as a stream. */
export type GuardedDownload = <Value>(address: string, call: DownloadOptions, consume: (response: IncomingMessage) => Promise<Value>) => Promise<Value>;

export interface DownloadOptions {
	readonly signal: AbortSignal;
	/** Bytes already downloaded; the request is for the rest. */
	readonly from: number;
}

/** Compression is turned off, because `from` is an offset in the file. The headers are also sent after a redirect, since large files are usually on another host. */
export function createGuardedDownload(options: GuardOptions): GuardedDownload {
	const guard = guardOf(options);
	return async (address, { signal, from }, consume) => {
		const headersForAllHosts = { "accept-encoding": "identity", ...(from > 0 && { range: `bytes=${from}-` }) };
		const call: Call = { signal, headersForAllHosts, answers: [206, 416] };
		try {
			return await follow(address, guard, call, options.authorities, (response) => consume(response));
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			throw networkError(error, address);
		}
	};
}

export function guardOf(options: Pick<GuardOptions, "allow" | "ports" | "resolve">): Guard {
	return {
		allowed: new Set(options.allow.map((entry) => entry.trim().toLowerCase())),
		ports: new Set(options.ports ?? publicPorts),
		resolve: options.resolve ?? resolveAll,
	};
}

export interface Guard {
	readonly allowed: ReadonlySet<string>;
	readonly ports: ReadonlySet<number>;
	readonly resolve: (host: string) => Promise<readonly string[]>;
}

interface Call extends Pick<FetchOptions, "signal" | "accept" | "headers" | "answers" | "body" | "method"> {
	/** Headers sent to every server, also after a redirect. */
	readonly headersForAllHosts?: Readonly<Record<string, string>>;
}

async function follow<Value>(
	address: string,
	guard: Guard,
	call: Call,
	authorities: readonly string[] | undefined,
	consume: (response: IncomingMessage, url: URL) => Promise<Value>,
): Promise<Value> {
	let url = parse(address);
	const { origin } = url;
	for (let hop = 0; hop <= redirectsMax; hop += 1) {
		call.signal.throwIfAborted();
		const addresses = await untilAborted(addressesOf(url, guard), call.signal);
		const response = await pinnedRequest({
			url,
			addresses,
			headers: headersOf(call, url.origin === origin),
			signal: call.signal,
			authorities,
			body: call.body,
			method: call.method,
		});
		try {
			const next = call.answers?.includes(response.statusCode ?? 0) ? null : nextHop(response, url);
			if (next === null) return await consume(response, url);
			if (call.body !== undefined || call.method !== undefined) throw fail("ADDRESS_REFUSED", redactAddress(url), response.statusCode ?? 0);
			url = next;
		} finally {
			response.destroy();
		}
	}
	throw fail("ADDRESS_BLOCKED", redactAddress(address), `it redirects more than ${redirectsMax} times`);
}

function parse(address: string): URL {
	if (!URL.canParse(address)) throw fail("ADDRESS_MALFORMED", redactAddress(address));
	const url = new URL(address);
	if (url.protocol !== "http:" && url.protocol !== "https:") throw fail("ADDRESS_MALFORMED", redactAddress(address));
	return url;
}

/**
 * The IP addresses of a host, all of which must be public unless the host is allowed. @throws ServiceError if it may not be connected to
 * @param shown what errors call it
 */
export async function addressesOf(url: URL, guard: Guard, shown: string = redactAddress(url)): Promise<readonly string[]> {
	const blocked = (reason: string) => fail("ADDRESS_BLOCKED", shown, reason);
	if (url.username !== "" || url.password !== "") throw blocked("it contains a user name or a password");
	const isAllowed = guard.allowed.has(url.host);
	const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
	if (!isAllowed && !guard.ports.has(port)) throw blocked(`port ${port} is not allowed`);
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const addresses = isIP(host) === 0 ? await guard.resolve(host) : [host];
	if (addresses.length === 0) throw fail("ADDRESS_FAILED", shown, "its host name has no address");
	// An attacker's host name may have a private address among public ones. The message does not say which one is private.
	if (!isAllowed && !addresses.every(isPublicAddress)) throw blocked("it does not lead to a public address");
	return addresses.slice(0, addressesTriedMax);
}

/** IPv4 addresses come first: without IPv6 connectivity an attempt may time out. */
async function resolveAll(host: string): Promise<readonly string[]> {
	const found = await lookup(host, { all: true, order: "ipv4first" });
	return found.map(({ address }) => address);
}

/** A DNS query cannot be aborted; its late result is ignored. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener("abort", stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
	});
}

/** Headers for routing, length and compression, which the caller may not set. */
const reservedHeaders: ReadonlySet<string> = new Set([
	"accept-encoding",
	"connection",
	"content-length",
	"expect",
	"host",
	"te",
	"transfer-encoding",
	"upgrade",
]);

/** Sends no cookies, credentials or referrer. The caller's headers are only sent to the origin of the requested URL. */
function headersOf({ accept, headers, headersForAllHosts }: Call, isOriginalOrigin: boolean): Readonly<Record<string, string>> {
	const callerHeaders = Object.entries(isOriginalOrigin ? (headers ?? {}) : {}).filter(([name]) => !reservedHeaders.has(name.toLowerCase()));
	return {
		"user-agent": userAgent,
		accept: accept ?? "*/*",
		...Object.fromEntries(callerHeaders),
		"accept-encoding": acceptedEncodings,
		...headersForAllHosts,
	};
}

/** The target of a redirect; null for a final response. */
function nextHop(response: IncomingMessage, url: URL): URL | null {
	const status = response.statusCode ?? 0;
	const location = response.headers.location;
	if (redirectStatuses.has(status) && location !== undefined) {
		const next = URL.canParse(location, url) ? new URL(location, url) : null;
		if (next?.protocol === "http:" || next?.protocol === "https:") return next;
		throw fail("ADDRESS_BLOCKED", redactAddress(url), "it redirects to a URL that is not http or https");
	}
	if (status >= 200 && status < 300) return null;
	if (!isTransient(status)) throw fail("ADDRESS_REFUSED", redactAddress(url), status);
	throw fail("ADDRESS_FAILED", redactAddress(url), `it answered with status ${status}`).notBefore(pauseMs(response.headers["retry-after"]));
}

/** Parses `Retry-After`: seconds, or a date. */
function pauseMs(retryAfter = ""): number {
	const requestedMs = /^\s*\d+\s*$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
	return Number.isNaN(requestedMs) ? 0 : Math.min(Math.max(requestedMs, 0), limits.fetchPauseMaxMs);
}

async function toFetched(response: IncomingMessage, url: URL, { bytesMax, signal }: FetchOptions): Promise<Fetched> {
	// A 304 has no body, but its content-length may be that of the unmodified body.
	const bytes = response.statusCode === 304 ? new Uint8Array() : await readBody(response, bytesMax);
	// Without a content-length, a body also seems to end when we abort the connection.
	signal.throwIfAborted();
	const type = response.headers["content-type"] ?? "";
	return {
		address: url,
		status: response.statusCode ?? 0,
		headers: new Map(Object.entries(response.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")] as const]))),
		claimedMediaType: parseMediaType(type),
		charset: charsetOf(type),
		fileName: fetchedName(response.headers["content-disposition"] ?? null, url),
		bytes,
	};
}

/** An error without details of the internal network, which are only in its cause, for the log. */
export function networkError(error: unknown, address: string): ServiceError {
	if (error instanceof ServiceError) return error;
	const code = errorCode(error) ?? "";
	return fail("ADDRESS_FAILED", redactAddress(address), reasons.find(([pattern]) => pattern.test(code))?.[1] ?? "the connection broke").because(error);
}

const reasons: readonly (readonly [pattern: RegExp, words: string])[] = [
	[/^(ENOTFOUND|EAI_|DNS_)/, "its host name is unknown"],
	[/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)$/, "it does not respond"],
	[/CERT|TLS|SSL|^UNABLE_TO/, "its certificate is not valid"],
	[/^Z_|ZLIB|BROTLI|_ERROR_FORMAT/, "its compressed content is damaged"],
];

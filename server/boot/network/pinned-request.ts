/** Sends one request to an IP address that was checked before. The host name is not resolved again, because its address may have changed. */

import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";

export interface PinnedRequest {
	readonly url: URL;
	/** Tried in this order until one accepts the connection. */
	readonly addresses: readonly string[];
	readonly headers: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
	/** CA certificates in PEM to trust in place of the default ones. */
	readonly authorities?: readonly string[] | undefined;
	readonly body?: Uint8Array | undefined;
	/** By default `POST` with a body, and `GET` without one. */
	readonly method?: string | undefined;
}

/** Short, so that there is time left to try the other addresses of the host. */
export const connectTimeoutMs = 5_000;

const unreachableCodes = new Set(["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]);

/**
 * It uses `node:http`, not `fetch`: Bun's `fetch` obeys HTTP_PROXY, and a proxy would decide where to connect; `proxy: ""` does not
 * prevent that. The certificate is checked against the host name, not the IP address.
 */
export function pinnedRequest(request: PinnedRequest): Promise<http.IncomingMessage> {
	return firstReachable(request.addresses, (address) => open(request, address));
}

/** Tries addresses in their order, until one is reached. */
export async function firstReachable<Value>(addresses: readonly string[], connect: (address: string) => Promise<Value>): Promise<Value> {
	const [first, ...others] = addresses;
	if (first === undefined) throw new Error("no address to connect to");
	try {
		return await connect(first);
	} catch (error) {
		if (others.length === 0 || !unreachableCodes.has(errorCode(error) ?? "")) throw error;
		return firstReachable(others, connect);
	}
}

export function errorCode(error: unknown): string | null {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide. An IP address is not sent as a server name. */
export function verifiedTls(hostname: string, authorities: readonly string[] | undefined) {
	const name = hostname.replace(/^\[|\]$/g, "");
	return {
		rejectUnauthorized: true,
		...(isIP(name) === 0 && { servername: name.replace(/\.$/, "") }),
		...(authorities && { ca: [...authorities] }),
	} as const;
}

function open(
	{ url, headers, signal, authorities, body, method = body === undefined ? "GET" : "POST" }: PinnedRequest,
	address: string,
): Promise<http.IncomingMessage> {
	const name = url.hostname.replace(/^\[|\]$/g, "");
	const isSecure = url.protocol === "https:";
	const options = {
		host: address,
		port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
		path: `${url.pathname}${url.search}`,
		method,
		headers: { ...headers, host: url.host, ...(body && { "content-length": String(body.byteLength) }) },
		agent: false,
		signal,
		...(isSecure && verifiedTls(name, authorities)),
	} as const;
	return new Promise((resolve, reject) => {
		const clientRequest = isSecure ? https.request(options) : http.request(options);
		const timer = setTimeout(() => clientRequest.destroy(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" })), connectTimeoutMs);
		clientRequest.once("socket", (socket) => socket.once("connect", () => clearTimeout(timer)));
		clientRequest.once("response", resolve);
		clientRequest.once("close", () => clearTimeout(timer));
		// Never removed: an unhandled error event would be thrown. Errors after the response has begun are reported by the response.
		clientRequest.on("error", reject);
		clientRequest.end(body);
	});
}

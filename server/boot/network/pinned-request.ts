/** One request to an address that was checked before: connects to that very IP address, whatever a name may mean by now. */

import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";

export interface PinnedRequest {
	readonly url: URL;
	/** Tried in this order until one takes the connection. */
	readonly addresses: readonly string[];
	readonly headers: Readonly<Record<string, string>>;
	readonly signal: AbortSignal;
	/** Certificates to trust in place of the usual authorities, PEM. */
	readonly authorities?: readonly string[] | undefined;
	/** Sent as a `POST`; without it it is a `GET`. */
	readonly body?: Uint8Array | undefined;
}

/** A host that does not answer must not use up the time that another of its addresses could have. */
const connectTimeoutMs = 5_000;

const nobodyThere = new Set(["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]);

/**
 * `node:http` and not `fetch`: Bun's `fetch` obeys HTTP_PROXY, which would hand the decision where to connect to someone
 * else, and `proxy: ""` does not stop it. The certificate is checked against the name, not the IP address.
 */
export async function pinnedRequest(request: PinnedRequest): Promise<http.IncomingMessage> {
	const [first, ...others] = request.addresses;
	if (first === undefined) throw new Error("no address to connect to");
	try {
		return await open(request, first);
	} catch (error) {
		if (others.length === 0 || !nobodyThere.has(errorCode(error) ?? "")) throw error;
		return pinnedRequest({ ...request, addresses: others });
	}
}

export function errorCode(error: unknown): string | null {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

function open({ url, headers, signal, authorities, body }: PinnedRequest, address: string): Promise<http.IncomingMessage> {
	const name = url.hostname.replace(/^\[|\]$/g, "");
	const isSecure = url.protocol === "https:";
	const options = {
		host: address,
		port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
		path: `${url.pathname}${url.search}`,
		method: body === undefined ? "GET" : "POST",
		headers: { ...headers, host: url.host, ...(body && { "content-length": String(body.byteLength) }) },
		agent: false,
		signal,
		// Said here because NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide. A name for an IP address is not sent.
		...(isSecure && {
			rejectUnauthorized: true,
			...(isIP(name) === 0 && { servername: name.replace(/\.$/, "") }),
			...(authorities && { ca: [...authorities] }),
		}),
	} as const;
	return new Promise((resolve, reject) => {
		const sent = isSecure ? https.request(options) : http.request(options);
		const clock = setTimeout(() => sent.destroy(Object.assign(new Error("no connection"), { code: "ETIMEDOUT" })), connectTimeoutMs);
		sent.once("socket", (socket) => socket.once("connect", () => clearTimeout(clock)));
		sent.once("response", resolve);
		sent.once("close", () => clearTimeout(clock));
		// Stays to the end: an error after the response began is reported by the response.
		sent.on("error", reject);
		sent.end(body);
	});
}

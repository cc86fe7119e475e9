/** Forwards requests to the provider that the operator has configured, and returns its responses as streams, whatever their status. */

import type { IncomingMessage } from "node:http";
import { fail, ServiceError } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import { addressesOf, guardOf, networkError } from "./guarded-fetch.ts";
import { pinnedRequest } from "./pinned-request.ts";
import { redactAddress } from "./redact-address.ts";

export interface RelayedRequest {
	/** Path below the base URL, with the query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as a `POST`; null for a `GET`. */
	readonly body: Uint8Array | null;
	/** Aborts the request, and the response with it. */
	readonly signal: AbortSignal;
}

/** @throws ServiceError `ROUTER_UNAVAILABLE` */
export type GuardedRelay = (request: RelayedRequest) => Promise<IncomingMessage>;

/**
 * @param base the base URL; its host may be private, because the operator has configured it
 * @param allow other private hosts, as for the guarded fetch
 */
export function createGuardedRelay(base: string, allow: readonly string[]): GuardedRelay {
	const { host, origin } = new URL(base);
	const guard = guardOf({ allow: [...allow, host] });
	return async ({ path, headers, body, signal }) => {
		const url = new URL(`${base}${path}`);
		// The timeout is only for the beginning of the response, which may then take as long as it needs.
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), limits.routerResponseTimeoutMs);
		try {
			const addresses = await addressesOf(url, guard);
			const response = await pinnedRequest({ url, addresses, headers, signal: AbortSignal.any([signal, timeout.signal]), ...(body !== null && { body }) });
			if (!isRedirect(response)) return response;
			response.destroy();
			throw fail("ROUTER_UNAVAILABLE", origin, "it redirects; configure its final URL instead");
		} catch (thrown) {
			signal.throwIfAborted();
			if (thrown instanceof ServiceError && thrown.code === "ROUTER_UNAVAILABLE") throw thrown;
			if (timeout.signal.aborted) throw fail("ROUTER_UNAVAILABLE", origin, `it took longer than ${limits.routerResponseTimeoutMs / 1_000} seconds`);
			const { args, cause } = networkError(thrown, redactAddress(url));
			throw fail("ROUTER_UNAVAILABLE", origin, String(args[1] ?? "the connection broke")).because(cause ?? thrown);
		} finally {
			clearTimeout(timer);
		}
	};
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
	return statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
}

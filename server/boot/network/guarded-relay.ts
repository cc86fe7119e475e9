/** Passes requests on to the one address that the operator has named, and hands its answers over as streams, whatever their status. */

import type { IncomingMessage } from "node:http";
import { fail, ServiceError } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import { addressesOf, guardOf, networkError } from "./guarded-fetch.ts";
import { pinnedRequest } from "./pinned-request.ts";
import { redactAddress } from "./redact-address.ts";

export interface RelayedRequest {
	/** Below the base address, with its query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as a `POST`; null for a `GET`. */
	readonly body: Uint8Array | null;
	/** Ends the request, and the answer with it. */
	readonly signal: AbortSignal;
}

/** @throws ServiceError `ROUTER_UNAVAILABLE` */
export type GuardedRelay = (request: RelayedRequest) => Promise<IncomingMessage>;

/**
 * @param base on any host: naming it allows it, for this alone
 * @param allow other private hosts, as for the guarded fetch
 */
export function createGuardedRelay(base: string, allow: readonly string[]): GuardedRelay {
	const { host, origin } = new URL(base);
	const guard = guardOf({ allow: [...allow, host] });
	return async ({ path, headers, body, signal }) => {
		const url = new URL(`${base}${path}`);
		// Only until the answer begins: it may then take as long as it takes.
		const late = new AbortController();
		const clock = setTimeout(() => late.abort(), limits.routerResponseTimeoutMs);
		try {
			const addresses = await addressesOf(url, guard);
			const answer = await pinnedRequest({ url, addresses, headers, signal: AbortSignal.any([signal, late.signal]), ...(body !== null && { body }) });
			if (!isRedirect(answer)) return answer;
			answer.destroy();
			throw fail("ROUTER_UNAVAILABLE", origin, "it redirects, and its final address is not named");
		} catch (thrown) {
			signal.throwIfAborted();
			if (thrown instanceof ServiceError && thrown.code === "ROUTER_UNAVAILABLE") throw thrown;
			if (late.signal.aborted) throw fail("ROUTER_UNAVAILABLE", origin, `it took longer than ${limits.routerResponseTimeoutMs / 1_000} seconds`);
			const { words, cause } = networkError(thrown, redactAddress(url));
			throw fail("ROUTER_UNAVAILABLE", origin, String(words[1] ?? "the connection broke")).because(cause ?? thrown);
		} finally {
			clearTimeout(clock);
		}
	};
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
	return statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
}

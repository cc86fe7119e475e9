/** Headers of every answer: an id for the log, no permission for browsers to guess types or to cache, and what pages of other origins may do. */

import type { RandomBytes } from "../../../core/model/id.ts";

export const requestIdHeader = "x-request-id";

/** A route's own headers win over these. */
export function standardHeaders(randomBytes: RandomBytes): Readonly<Record<string, string>> {
	return {
		[requestIdHeader]: Buffer.from(randomBytes(9)).toString("base64url"),
		"x-content-type-options": "nosniff",
		"cache-control": "no-store",
	};
}

/**
 * Which web pages of other origins may ask: `CAIRN_CORS_ORIGINS`. Around every route, so that errors, streams and answers that
 * are given again bear the headers too; `@elysiajs/cors` works inside of the routes and would miss the last.
 */
export interface Cors {
	/** The answer to a browser that asks whether it may ask; null when that is no such question, or it may not. */
	readonly preflight: (request: Request) => Response | null;
	readonly headersFor: (request: Request) => Readonly<Record<string, string>>;
}

export const anyOrigin = "*";

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** What a client does something with. A page reads only what is named; the content type and length need no name. */
const exposed = [
	"allow",
	"content-disposition",
	"content-range",
	"idempotency-replayed",
	"ratelimit",
	"ratelimit-limit",
	"ratelimit-policy",
	"ratelimit-remaining",
	"ratelimit-reset",
	"retry-after",
	"retry-after-ms",
	"x-request-id",
	"x-should-retry",
].join(", ");
/** Chromium keeps an answer no longer than two hours. */
const maxAgeSeconds = 7_200;

/** @param origins exact ones, or `*` alone; none turns it off */
export function createCors(origins: readonly string[]): Cors {
	const isAny = origins.includes(anyOrigin);

	/** The value of `Access-Control-Allow-Origin`. Cookies are never allowed: there are none, a key is sent in a header. */
	function allowed({ headers }: Request): string | null {
		const origin = headers.get("origin");
		if (isAny) return anyOrigin;
		return origin !== null && origins.includes(origin) ? origin : null;
	}

	function headersFor(request: Request): Readonly<Record<string, string>> {
		if (origins.length === 0) return {};
		const origin = allowed(request);
		return {
			// A cache between must not hand the answer for one origin to another.
			...(isAny ? {} : { vary: "Origin" }),
			...(origin === null ? {} : { "access-control-allow-origin": origin, "access-control-expose-headers": exposed }),
		};
	}

	return {
		headersFor,
		preflight: (request) => {
			const asked = request.method === "OPTIONS" && request.headers.has("origin") && request.headers.has("access-control-request-method");
			const origin = asked ? allowed(request) : null;
			if (origin === null) return null;
			const wanted = request.headers.get("access-control-request-headers");
			const headers = {
				"access-control-allow-origin": origin,
				"access-control-allow-methods": methods,
				// Named one by one: `*` would leave out authorization.
				...(wanted === null ? {} : { "access-control-allow-headers": wanted }),
				"access-control-max-age": String(maxAgeSeconds),
				vary: "Origin, Access-Control-Request-Headers",
			};
			return new Response(null, { status: 204, headers });
		},
	};
}

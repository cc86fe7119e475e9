/** Headers of every response: a request id for the log, protection in browsers, no caching, and CORS. */

export const requestIdHeader = "x-request-id";

/** The Content-Security-Policy of responses that are no pages: opened in a browser, they load nothing and cannot be put into a frame. */
const policyOfData = "default-src 'none'; frame-ancestors 'none'";

/** Headers of the route take precedence over these. */
export function standardHeaders(requestId: string): Readonly<Record<string, string>> {
	return {
		[requestIdHeader]: requestId,
		"x-content-type-options": "nosniff",
		"content-security-policy": policyOfData,
		"referrer-policy": "no-referrer",
		"cache-control": "no-store",
	};
}

/**
 * CORS for the origins in `CAIRN_CORS_ORIGINS`. It wraps every route, so that errors, streams and repeated responses have the
 * headers too; `@elysiajs/cors` works inside the routes and would miss repeated responses.
 */
export interface Cors {
	/** The response to a preflight request; null for other requests, or if the origin is not allowed. */
	readonly preflight: (request: Request) => Response | null;
	readonly headersFor: (request: Request) => Readonly<Record<string, string>>;
}

export const anyOrigin = "*";

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** Response headers that pages may read; content type and length are always readable. */
const exposedHeaders = [
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
/** Two hours, the longest time for which Chromium caches a preflight response. */
const maxAgeSeconds = 7_200;

/** @param origins exact origins, or `*` alone; an empty list turns CORS off */
export function createCors(origins: readonly string[]): Cors {
	const allowsAnyOrigin = origins.includes(anyOrigin);

	/** The value of `Access-Control-Allow-Origin`. Credentials are never allowed: keys are sent in a header, and there are no cookies. */
	function allowedOrigin({ headers }: Request): string | null {
		const origin = headers.get("origin");
		if (allowsAnyOrigin) return anyOrigin;
		return origin !== null && origins.includes(origin) ? origin : null;
	}

	function headersFor(request: Request): Readonly<Record<string, string>> {
		if (origins.length === 0) return {};
		const origin = allowedOrigin(request);
		return {
			// A shared cache must not serve the response for one origin to another.
			...(allowsAnyOrigin ? {} : { vary: "Origin" }),
			...(origin === null ? {} : { "access-control-allow-origin": origin, "access-control-expose-headers": exposedHeaders }),
		};
	}

	return {
		headersFor,
		preflight: (request) => {
			const isPreflight = request.method === "OPTIONS" && request.headers.has("origin") && request.headers.has("access-control-request-method");
			const origin = isPreflight ? allowedOrigin(request) : null;
			if (origin === null) return null;
			const requestedHeaders = request.headers.get("access-control-request-headers");
			const headers = {
				"access-control-allow-origin": origin,
				"access-control-allow-methods": methods,
				// The requested names are listed, because `*` does not include Authorization.
				...(requestedHeaders === null ? {} : { "access-control-allow-headers": requestedHeaders }),
				"access-control-max-age": String(maxAgeSeconds),
				vary: "Origin, Access-Control-Request-Headers",
			};
			return new Response(null, { status: 204, headers });
		},
	};
}

/** Responds with a file for browsers: compressed if the browser accepts it, and with headers that protect it from other sites. */

import type { BuiltFile } from "../../console/built-files.ts";

/** Cache headers for files whose names contain a hash of their content. */
export const immutableCacheHeaders = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" } as const;

export const pageHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
} as const;

export function fileResponse({ mediaType, content, gzipped }: BuiltFile, request: Request, headers: Readonly<Record<string, string>>, status = 200): Response {
	const acceptsGzip = request.headers.get("accept-encoding")?.includes("gzip") ?? false;
	return new Response(acceptsGzip ? gzipped : content, {
		status,
		headers: { ...headers, "content-type": mediaType, ...(acceptsGzip ? { "content-encoding": "gzip" } : {}), ...pageHeaders },
	});
}

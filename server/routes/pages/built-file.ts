/** Answers a file for browsers: compressed where they take it, and with the headers that keep other pages out. */

import type { BuiltFile } from "../../console/built-files.ts";

/** Of files whose names hold the hash of their content. */
export const keptForGood = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" } as const;

export const pageHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
} as const;

export function answerFile({ mediaType, plain, gzipped }: BuiltFile, request: Request, headers: Readonly<Record<string, string>>, status = 200): Response {
	const isGzip = request.headers.get("accept-encoding")?.includes("gzip") ?? false;
	return new Response(isGzip ? gzipped : plain, {
		status,
		headers: { ...headers, "content-type": mediaType, ...(isGzip ? { "content-encoding": "gzip" } : {}), ...pageHeaders },
	});
}

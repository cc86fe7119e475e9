/** The web console: the page at `/` for a browser, and its script and style sheet. It is loaded on first use. */

import { fail } from "../../../core/errors/fail.ts";
import { type ConsoleFile, type ConsoleFiles, loadConsole } from "../../console/console-files.ts";
import { consolePage, consolePolicy } from "../../console/console-page.ts";
import { open } from "../access.ts";
import { hidden, type Operation } from "../operation.ts";

const assetsUrl = "/console";

export interface ConsoleRoutes {
	/** Answers the page. */
	readonly page: (request: Request) => Promise<Response>;
	readonly routes: readonly Operation[];
}

/** A browser asks for HTML by name; every client of the API asks for JSON, or for anything. */
export function isBrowser(request: Request): boolean {
	const accepted = request.headers.get("accept") ?? "";
	return accepted.includes("text/html") && !accepted.includes("application/json");
}

export function consoleRoutes(load = loadConsole): ConsoleRoutes {
	let loading: Promise<ConsoleFiles> | null = null;
	const files = () => {
		loading ??= load().catch((thrown: unknown) => {
			// The next one who asks tries again.
			loading = null;
			throw thrown;
		});
		return loading;
	};
	return {
		page: async (request) => {
			const html = new TextEncoder().encode(consolePage([...(await files()).keys()], assetsUrl));
			const page = { mediaType: "text/html; charset=utf-8", plain: html, gzipped: Bun.gzipSync(html) };
			return respond(page, request, { "content-security-policy": consolePolicy, "cache-control": "no-cache", vary: "accept, accept-encoding" });
		},
		routes: [
			hidden(`GET ${assetsUrl}/:name`, open, async ({ params, request }) => {
				const file = (await files()).get(params.name);
				if (file === undefined) throw fail("ROUTE_MISSING", request.method, new URL(request.url).pathname, "");
				// The name holds the hash of the content.
				return respond(file, request, { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" });
			}),
		],
	};
}

function respond({ mediaType, plain, gzipped }: ConsoleFile, request: Request, headers: Readonly<Record<string, string>>): Response {
	const isGzip = request.headers.get("accept-encoding")?.includes("gzip") ?? false;
	return new Response(isGzip ? gzipped : plain, {
		headers: {
			...headers,
			"content-type": mediaType,
			...(isGzip ? { "content-encoding": "gzip" } : {}),
			"x-content-type-options": "nosniff",
			"referrer-policy": "no-referrer",
			"cross-origin-opener-policy": "same-origin",
			"cross-origin-resource-policy": "same-origin",
		},
	});
}

/** Serves the web console: the page at `/` for browsers, and its script and style sheet. They are loaded on first use. */

import { fail } from "../../../core/errors/fail.ts";
import { loadOnce } from "../../console/built-files.ts";
import { loadConsole } from "../../console/console-files.ts";
import { consolePage } from "../../console/console-page.ts";
import { contentSecurityPolicy } from "../../console/page-parts.ts";
import { publicAccess } from "../access.ts";
import { type Operation, undocumentedOperation } from "../operation.ts";
import { fileResponse, immutableCacheHeaders } from "./built-file.ts";

const assetsUrl = "/console";

export interface ConsoleRoutes {
	/** Responds with the page. */
	readonly page: (request: Request) => Promise<Response>;
	readonly routes: readonly Operation[];
}

/** Whether a browser asks for a page. Browsers accept HTML explicitly; clients of the API accept JSON or anything. */
export function isBrowser(request: Request): boolean {
	const acceptHeader = request.headers.get("accept") ?? "";
	return acceptHeader.includes("text/html") && !acceptHeader.includes("application/json");
}

export function consoleRoutes(load = loadConsole): ConsoleRoutes {
	const files = loadOnce(load);
	return {
		page: async (request) => {
			const html = new TextEncoder().encode(consolePage([...(await files()).keys()], assetsUrl));
			const page = { mediaType: "text/html; charset=utf-8", content: html, gzipped: Bun.gzipSync(html) };
			return fileResponse(page, request, { "content-security-policy": contentSecurityPolicy, "cache-control": "no-cache", vary: "accept, accept-encoding" });
		},
		routes: [
			undocumentedOperation(`GET ${assetsUrl}/:name`, publicAccess, async ({ params, request }) => {
				const file = (await files()).get(params.name);
				if (file === undefined) throw fail("ROUTE_MISSING", request.method, new URL(request.url).pathname, "");
				return fileResponse(file, request, immutableCacheHeaders);
			}),
		],
	};
}

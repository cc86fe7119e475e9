/** The web console: the page at `/` for a browser, and its script and style sheet. It is loaded on first use. */

import { fail } from "../../../core/errors/fail.ts";
import { loadedOnce } from "../../console/built-files.ts";
import { loadConsole } from "../../console/console-files.ts";
import { consolePage } from "../../console/console-page.ts";
import { pagePolicy } from "../../console/page-parts.ts";
import { open } from "../access.ts";
import { hidden, type Operation } from "../operation.ts";
import { answerFile, keptForGood } from "./built-file.ts";

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
	const files = loadedOnce(load);
	return {
		page: async (request) => {
			const html = new TextEncoder().encode(consolePage([...(await files()).keys()], assetsUrl));
			const page = { mediaType: "text/html; charset=utf-8", plain: html, gzipped: Bun.gzipSync(html) };
			return answerFile(page, request, { "content-security-policy": pagePolicy, "cache-control": "no-cache", vary: "accept, accept-encoding" });
		},
		routes: [
			hidden(`GET ${assetsUrl}/:name`, open, async ({ params, request }) => {
				const file = (await files()).get(params.name);
				if (file === undefined) throw fail("ROUTE_MISSING", request.method, new URL(request.url).pathname, "");
				return answerFile(file, request, keptForGood);
			}),
		],
	};
}

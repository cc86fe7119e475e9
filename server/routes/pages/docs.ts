/** The documentation site at `/docs`, loaded on first use. A client that asks for JSON is told that there is no such route. */

import { NotFoundError } from "elysia";
import { loadedOnce } from "../../console/built-files.ts";
import { pagePolicy } from "../../console/page-parts.ts";
import { loadSite, siteImage } from "../../site/site-files.ts";
import { missingFile, pageFile, siteUrl } from "../../site/site-pages.ts";
import { open } from "../access.ts";
import { hidden, type Operation } from "../operation.ts";
import { answerFile, keptForGood, pageHeaders } from "./built-file.ts";
import { isBrowser } from "./console.ts";

const headers = { "content-security-policy": pagePolicy, "cache-control": "no-cache", vary: "accept, accept-encoding" };

/** What a picture may do that is opened by itself: nothing but show. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function docsRoutes(load = loadSite): readonly Operation[] {
	const files = loadedOnce(load);

	async function page({ request }: { readonly request: Request }): Promise<Response> {
		if (asksJson(request)) throw new NotFoundError();
		const built = await files();
		const file = built.get(pageFile(new URL(request.url).pathname.replace(/\/$/, "")));
		const missing = isBrowser(request) ? built.get(missingFile) : undefined;
		if (file !== undefined) return answerFile(file, request, headers);
		if (missing !== undefined) return answerFile(missing, request, headers, 404);
		throw new NotFoundError();
	}

	return [
		hidden(`GET ${siteUrl}`, open, page),
		hidden(`GET ${siteUrl}/`, open, page),
		hidden(`GET ${siteUrl}/:page`, open, page),
		hidden(`GET ${siteUrl}/:page/:part`, open, page),
		hidden(`GET ${siteUrl}/assets/:name`, open, async ({ params, request }) => {
			const file = (await files()).get(`assets/${params.name}`);
			if (file === undefined) throw new NotFoundError();
			return answerFile(file, request, keptForGood);
		}),
		hidden(`GET ${siteUrl}/images/:name`, open, async ({ params }) => {
			const image = await siteImage(params.name);
			if (image === null) throw new NotFoundError();
			return new Response(image, { headers: { ...pageHeaders, "content-security-policy": imagePolicy, "cache-control": "public, max-age=3600" } });
		}),
	];
}

function asksJson({ headers }: Request): boolean {
	const accepted = headers.get("accept") ?? "";
	return accepted.includes("application/json") && !accepted.includes("text/html");
}

/** Serves the documentation site at `/docs`, loaded on first use. Clients that ask for JSON get the error for an unknown route. */

import { NotFoundError } from "elysia";
import { loadOnce } from "../../console/built-files.ts";
import { contentSecurityPolicy } from "../../console/page-parts.ts";
import { loadSite, siteImage } from "../../site/site-files.ts";
import { missingFile, pageFile, siteUrl } from "../../site/site-pages.ts";
import { publicAccess } from "../access.ts";
import { type Operation, undocumentedOperation } from "../operation.ts";
import { fileResponse, immutableCacheHeaders, pageHeaders } from "./built-file.ts";
import { isBrowser } from "./console.ts";

const headers = { "content-security-policy": contentSecurityPolicy, "cache-control": "no-cache", vary: "accept, accept-encoding" };

/** The Content-Security-Policy of a picture that is opened directly: it may load nothing and run no script. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function docsRoutes(load = loadSite): readonly Operation[] {
	const files = loadOnce(load);

	async function page({ request }: { readonly request: Request }): Promise<Response> {
		if (acceptsOnlyJson(request)) throw new NotFoundError();
		const siteFiles = await files();
		const file = siteFiles.get(pageFile(new URL(request.url).pathname.replace(/\/$/, "")));
		const missingPage = isBrowser(request) ? siteFiles.get(missingFile) : undefined;
		if (file !== undefined) return fileResponse(file, request, headers);
		if (missingPage !== undefined) return fileResponse(missingPage, request, headers, 404);
		throw new NotFoundError();
	}

	return [
		undocumentedOperation(`GET ${siteUrl}`, publicAccess, page),
		undocumentedOperation(`GET ${siteUrl}/`, publicAccess, page),
		undocumentedOperation(`GET ${siteUrl}/:page`, publicAccess, page),
		undocumentedOperation(`GET ${siteUrl}/:page/:part`, publicAccess, page),
		undocumentedOperation(`GET ${siteUrl}/assets/:name`, publicAccess, async ({ params, request }) => {
			const file = (await files()).get(`assets/${params.name}`);
			if (file === undefined) throw new NotFoundError();
			return fileResponse(file, request, immutableCacheHeaders);
		}),
		undocumentedOperation(`GET ${siteUrl}/images/:name`, publicAccess, async ({ params }) => {
			const image = await siteImage(params.name);
			if (image === null) throw new NotFoundError();
			return new Response(image, { headers: { ...pageHeaders, "content-security-policy": imagePolicy, "cache-control": "public, max-age=3600" } });
		}),
	];
}

function acceptsOnlyJson({ headers }: Request): boolean {
	const acceptHeader = headers.get("accept") ?? "";
	return acceptHeader.includes("application/json") && !acceptHeader.includes("text/html");
}

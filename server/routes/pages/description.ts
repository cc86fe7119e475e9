/** Serves the OpenAPI description at `/openapi.json` and other usual paths, and Swagger UI at `/swagger`, without requests to other hosts. */

import { fail } from "../../../core/errors/fail.ts";
import { publicAccess } from "../access.ts";
import { type Operation, undocumentedOperation } from "../operation.ts";
import { swaggerAsset, swaggerPage, swaggerPolicy } from "./swagger-page.ts";

/** @param operations all documented operations */
export function descriptionRoutes(operations: readonly Operation[]): readonly Operation[] {
	let cachedDescription: Promise<object> | null = null;
	const describe = () => {
		cachedDescription ??= import("./create-description.ts").then(({ createDescription }) => createDescription(operations));
		return cachedDescription;
	};
	return [
		undocumentedOperation("GET /swagger", publicAccess, page),
		undocumentedOperation("GET /swagger/", publicAccess, page),
		...(["/swagger/json", "/openapi.json", "/v3/openapi", "/v4/openapi"] as const).map((path) => undocumentedOperation(`GET ${path}`, publicAccess, describe)),
		undocumentedOperation("GET /swagger/assets/:name", publicAccess, ({ params, request }) => asset(params.name, request)),
	];
}

function page(): Response {
	return new Response(swaggerPage({ specUrl: "/swagger/json", assetsUrl: "/swagger/assets" }), {
		headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": swaggerPolicy },
	});
}

function asset(name: string, { method, url }: Request): Response {
	const found = swaggerAsset(name);
	if (found === null) throw fail("ROUTE_MISSING", method, new URL(url).pathname, "");
	return new Response(found.body, {
		headers: { "content-type": found.mediaType, "x-content-type-options": "nosniff", "cache-control": "public, max-age=86400" },
	});
}

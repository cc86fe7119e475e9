/** `/v3/search` and `/v4/search`, by GET and POST. */

import type { TObject } from "@sinclair/typebox";
import type { Caller } from "../../core/model/caller.ts";
import type { Scope } from "../../core/model/scope.ts";
import type { Service } from "../../core/service.ts";
import { bodyFromQuery } from "../wire/requests/query-string.ts";
import { readJson } from "../wire/requests/read-body.ts";
import { contentReader, createLongResponse } from "../wire/responses/long-response.ts";
import { documentSearchBody, parseDocumentSearch, toDocumentResults } from "../wire/v3/search.ts";
import { memorySearchBody, parseMemorySearch } from "../wire/v4/search-request.ts";
import { toMemoryResults } from "../wire/v4/search-response.ts";
import { readAccess } from "./access.ts";
import { type Call, type Operation, operationsOf } from "./operation.ts";

const operation = operationsOf("Search");

export function searchRoutes(service: Service): readonly Operation[] {
	const searchDocuments = async ({ request, caller }: Call<string, Caller>) => {
		const startedAt = performance.now();
		const parsed = parseDocumentSearch(await rawRequest(request, documentSearchBody));
		const scope = await scopeWith(parsed.query.scope, parsed.docId, caller, service);
		const query = { ...parsed.query, scope, includeContent: parsed.includeContent };
		const response = createLongResponse();
		const contentOf = parsed.includeContent ? contentReader(response, (document) => service.text(caller, document)) : null;
		if (!parsed.explain)
			return response.finish(toDocumentResults(await service.searchDocuments(caller, query, request.signal), elapsedMs(startedAt), parsed, contentOf));
		const explained = await service.explainDocuments(caller, query, request.signal);
		return response.finish(toDocumentResults(explained.results, elapsedMs(startedAt), parsed, contentOf, explained));
	};
	const searchMemories = async ({ request, caller }: Call<string, Caller>) => {
		const startedAt = performance.now();
		const parsed = parseMemorySearch(await rawRequest(request, memorySearchBody));
		const scope = await scopeWith(parsed.query.scope, parsed.docId, caller, service);
		const query = { ...parsed.query, scope };
		if (!parsed.explain) return toMemoryResults(await service.searchMemories(caller, query, request.signal), elapsedMs(startedAt), parsed);
		const explained = await service.explainMemories(caller, query, request.signal);
		return toMemoryResults(explained.results, elapsedMs(startedAt), parsed, explained);
	};
	const documentDescription = {
		access: readAccess,
		summary: "Search documents",
		responses: { 200: "DocumentResults" },
		errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
	} as const;
	const memoryDescription = {
		access: readAccess,
		summary: "Search memories",
		responses: { 200: "MemoryResults" },
		errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
	} as const;
	return [
		operation("GET /v3/search", { ...documentDescription, operationId: "searchDocumentsByGet", query: documentSearchBody }, searchDocuments),
		operation(
			"POST /v3/search",
			{ ...documentDescription, operationId: "searchDocuments", body: documentSearchBody, example: { q: "first program", limit: 5 } },
			searchDocuments,
		),
		operation("GET /v4/search", { ...memoryDescription, operationId: "searchMemoriesByGet", query: memorySearchBody }, searchMemories),
		operation(
			"POST /v4/search",
			{ ...memoryDescription, operationId: "searchMemories", body: memorySearchBody, example: { q: "what did Ada write?", limit: 5 } },
			searchMemories,
		),
	];
}

async function rawRequest(request: Request, schema: TObject): Promise<unknown> {
	// HEAD requests have their parameters in the query, like GET requests.
	return request.method === "GET" || request.method === "HEAD" ? bodyFromQuery(new URL(request.url), schema) : readJson(request);
}

/** Narrows the scope to one document, named by id, or by its customId in the containers of the scope. */
async function scopeWith(scope: Scope, docId: string | null, caller: Caller, service: Service): Promise<Scope> {
	return docId === null ? scope : { ...scope, document: (await service.get(caller, docId, scope.containerTags)).id };
}

/** Milliseconds since `startedAt`, rounded to hundredths. */
function elapsedMs(startedAt: number): number {
	return Math.round((performance.now() - startedAt) * 100) / 100;
}

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
import { reads } from "./access.ts";
import { type Call, type Operation, operation } from "./operation.ts";

const tags = ["Search"] as const;

export function searchRoutes(service: Service): readonly Operation[] {
	const searchDocuments = async ({ request, caller }: Call<string, Caller>) => {
		const startedAt = performance.now();
		const wanted = parseDocumentSearch(await rawRequest(request, documentSearchBody));
		const scope = await scopeWith(wanted.query.scope, wanted.docId, caller, service);
		const query = { ...wanted.query, scope, includeContent: wanted.includeContent };
		const answer = createLongResponse();
		const contentOf = wanted.includeContent ? contentReader(answer, (document) => service.text(caller, document)) : null;
		if (!wanted.explain)
			return answer.finish(toDocumentResults(await service.searchDocuments(caller, query, request.signal), since(startedAt), wanted, contentOf));
		const explained = await service.explainDocuments(caller, query, request.signal);
		return answer.finish(toDocumentResults(explained.results, since(startedAt), wanted, contentOf, explained));
	};
	const searchMemories = async ({ request, caller }: Call<string, Caller>) => {
		const startedAt = performance.now();
		const wanted = parseMemorySearch(await rawRequest(request, memorySearchBody));
		const scope = await scopeWith(wanted.query.scope, wanted.docId, caller, service);
		const query = { ...wanted.query, scope };
		if (!wanted.explain) return toMemoryResults(await service.searchMemories(caller, query, request.signal), since(startedAt), wanted);
		const explained = await service.explainMemories(caller, query, request.signal);
		return toMemoryResults(explained.results, since(startedAt), wanted, explained);
	};
	const documentWords = {
		access: reads,
		summary: "Search documents",
		tags,
		responses: { 200: "DocumentResults" },
		errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
	} as const;
	const memoryWords = {
		access: reads,
		summary: "Search memories",
		tags,
		responses: { 200: "MemoryResults" },
		errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
	} as const;
	return [
		operation("GET /v3/search", { ...documentWords, operationId: "searchDocumentsByGet", query: documentSearchBody }, searchDocuments),
		operation(
			"POST /v3/search",
			{ ...documentWords, operationId: "searchDocuments", body: documentSearchBody, example: { q: "first program", limit: 5 } },
			searchDocuments,
		),
		operation("GET /v4/search", { ...memoryWords, operationId: "searchMemoriesByGet", query: memorySearchBody }, searchMemories),
		operation(
			"POST /v4/search",
			{ ...memoryWords, operationId: "searchMemories", body: memorySearchBody, example: { q: "what did Ada write?", limit: 5 } },
			searchMemories,
		),
	];
}

async function rawRequest(request: Request, schema: TObject): Promise<unknown> {
	// A HEAD has its parameters in the query, like a GET.
	return request.method === "GET" || request.method === "HEAD" ? bodyFromQuery(new URL(request.url), schema) : readJson(request);
}

/** Narrows the scope to one document, named by id or customId. */
async function scopeWith(scope: Scope, docId: string | null, caller: Caller, service: Service): Promise<Scope> {
	return docId === null ? scope : { ...scope, document: (await service.get(caller, docId)).id };
}

/** Milliseconds since `startedAt`, rounded to hundredths. */
function since(startedAt: number): number {
	return Math.round((performance.now() - startedAt) * 100) / 100;
}

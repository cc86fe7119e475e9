/** `/v3/documents/documents`: documents with their memories, and counts by type. */

import type { BrowseService } from "../../../core/browse/browse-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { contentReader, createLongResponse } from "../../wire/responses/long-response.ts";
import { browseBody, byIdsBody, facetsBody, parseBrowse, parseByIds, parseFacets } from "../../wire/v3/documents/browse-request.ts";
import { toBrowsed, toFacets, toNamed } from "../../wire/v3/documents/browse-response.ts";
import { readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function browseRoutes(browse: BrowseService): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents/documents",
			{
				access: readAccess,
				summary: "List documents with their memories",
				description: "Documents in any of the containers, at most 500 per page, with their memories, for drawing a graph.",
				operationId: "listDocumentsWithMemories",
				body: browseBody,
				example: { page: 1, limit: 10 },
				responses: { 200: "DocumentsWithMemories" },
				errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CURSOR_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { scope, page, includeContent } = parseBrowse(await readJson(request));
				const response = createLongResponse();
				const contentOf = includeContent ? contentReader(response, (document) => browse.text(caller, document)) : null;
				return response.finish(toBrowsed(await browse.list(caller, scope, page, includeContent), page, contentOf));
			},
		),
		operation(
			"POST /v3/documents/documents/by-ids",
			{
				access: readAccess,
				summary: "Read several documents with their memories",
				description: "By ids or customIds, in the requested order. Unknown ones are left out.",
				operationId: "readDocumentsWithMemories",
				body: byIdsBody,
				example: { ids: ["an-id"] },
				responses: { 200: "DocumentsWithMemories" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { ids, by, scope } = parseByIds(await readJson(request));
				return toNamed(await browse.getMany(caller, ids, by, scope));
			},
		),
		operation(
			"POST /v3/documents/documents/facets",
			{
				access: readAccess,
				summary: "Count documents by type, status, source and container",
				operationId: "countDocuments",
				body: facetsBody,
				example: {},
				responses: { 200: "DocumentFacets" },
				errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => toFacets(await browse.facets(caller, parseFacets(await readJson(request)))),
		),
	];
}

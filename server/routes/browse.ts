/** `/v3/documents/documents`: documents with their memories, and what there is of which kind. */

import { Elysia } from "elysia";
import type { BrowseService } from "../../core/browse/browse-service.ts";
import type { Authenticate } from "../app.ts";
import { contentIn, longAnswer } from "../wire/long-answer.ts";
import { readJson } from "../wire/read-body.ts";
import { browseBody, facetsBody, namedBody, parseBrowse, parseFacets, parseNamed } from "../wire/v3/browse-request.ts";
import { toBrowsed, toFacets, toNamed } from "../wire/v3/browse-response.ts";
import { operation } from "./operation.ts";

const tags = ["Documents"] as const;

export function browseRoutes(browse: BrowseService, authenticate: Authenticate) {
	return new Elysia()
		.post(
			"/v3/documents/documents",
			async ({ request }) => {
				const caller = await authenticate(request);
				const { scope, page, includeContent } = parseBrowse(await readJson(request));
				const answer = longAnswer();
				const contentOf = includeContent ? contentIn(answer, (document) => browse.text(caller, document)) : null;
				return answer.finish(toBrowsed(await browse.list(caller, scope, page, includeContent), page, contentOf));
			},
			{
				parse: "none",
				detail: operation({
					summary: "List documents with their memories",
					description: "In any of the containers, 500 at most at once: what a graph is drawn from.",
					tags,
					operationId: "listDocumentsWithMemories",
					body: browseBody,
					example: { page: 1, limit: 10 },
					answers: { 200: "DocumentsWithMemories" },
					errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CURSOR_INVALID", "CONTAINER_FORBIDDEN"],
				}),
			},
		)
		.post(
			"/v3/documents/documents/by-ids",
			async ({ request }) => {
				const caller = await authenticate(request);
				const { names, by, scope } = parseNamed(await readJson(request));
				return toNamed(await browse.named(caller, names, by, scope));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Read several documents with their memories",
					description: "By ids or customIds, in their order. What is unknown is left out.",
					tags,
					operationId: "readDocumentsWithMemories",
					body: namedBody,
					example: { ids: ["an-id"] },
					answers: { 200: "DocumentsWithMemories" },
					errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
				}),
			},
		)
		.post(
			"/v3/documents/documents/facets",
			async ({ request }) => {
				const caller = await authenticate(request);
				return toFacets(await browse.facets(caller, parseFacets(await readJson(request))));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Count documents by type, status, source and container",
					tags,
					operationId: "countDocuments",
					body: facetsBody,
					example: {},
					answers: { 200: "DocumentFacets" },
					errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN"],
				}),
			},
		);
}

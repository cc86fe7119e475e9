/** `/v4/graph`: memories and how they hang together, for those who draw them. */

import { Elysia } from "elysia";
import type { MemoryService } from "../../core/memories/memory-service.ts";
import type { Authenticate } from "../app.ts";
import { bodyFromQuery } from "../wire/query-string.ts";
import { graphQuery, parseGraph, toGraph } from "../wire/v4/graph.ts";
import { operation } from "./operation.ts";

export function graphRoutes(memories: MemoryService, authenticate: Authenticate) {
	return new Elysia().get(
		"/v4/graph",
		async ({ request }) => {
			const caller = await authenticate(request);
			const asked = parseGraph(bodyFromQuery(new URL(request.url), graphQuery));
			return toGraph(await memories.graph(caller, asked), asked);
		},
		{
			detail: operation({
				summary: "Read memories as a graph",
				description:
					"In JSON Graph Format, version 2: current memories and their older versions, with `updates`, `extends` and `derives` as edges. Page by page; a page is a graph of its own, and pages are joined by the ids of their nodes.",
				tags: ["Memories"],
				operationId: "readMemoryGraph",
				query: graphQuery,
				answers: { 200: "MemoryGraph" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			}),
		},
	);
}

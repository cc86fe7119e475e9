/** `/v4/graph`: memories and their relations, for drawing a graph. */

import type { MemoryService } from "../../../core/memories/memory-service.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { graphQuery, parseGraph, toGraph } from "../../wire/v4/graph.ts";
import { readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");

export function graphRoutes(memories: MemoryService): readonly Operation[] {
	return [
		operation(
			"GET /v4/graph",
			{
				access: readAccess,
				summary: "Read memories as a graph",
				description:
					"In JSON Graph Format, version 2: current memories and their older versions, with `updates`, `extends` and `derives` as edges. Each page is a graph of its own; pages are joined by the ids of their nodes.",
				operationId: "readMemoryGraph",
				query: graphQuery,
				responses: { 200: "MemoryGraph" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const query = parseGraph(bodyFromQuery(new URL(request.url), graphQuery));
				return toGraph(await memories.graph(caller, query), query);
			},
		),
	];
}

/** `GET /v4/graph`: its query, and memories as JSON Graph Format, version 2 (https://jsongraphformat.info). */

import { Type } from "@sinclair/typebox";
import type { GraphRequest, MemoryGraph } from "../../../core/memories/graph.ts";
import type { Document } from "../../../core/model/document.ts";
import type { Memory } from "../../../core/model/memory.ts";
import { wholeOrganisation } from "../../../core/model/scope.ts";
import { containerTag, containerTags, instant, mergeTags, toInstant } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { cursorField, type RequestedPage, toNextCursor, toPage } from "../requests/paging.ts";
import { reader } from "../requests/reader.ts";
import { filters } from "../v3/search.ts";
import { toWireMetadata } from "./temporal.ts";

/** The most memories on a page. A page is displayed as one picture, which is illegible with more nodes. */
const limitMax = 500;

export const graphQuery = Type.Object({
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	filters: Type.Optional(filters),
	asOf: Type.Optional({ ...instant, description: "The graph as it was known at this time." }),
	documents: Type.Boolean({ default: false, description: "Also return the source documents, as nodes to which memories have `drawnFrom` edges." }),
	limit: Type.Integer({
		minimum: 1,
		maximum: limitMax,
		default: 100,
		description: "How many memories a page begins with; their older versions and neighbours are added.",
	}),
	cursor: Type.Optional(cursorField),
});

const read = reader(graphQuery);

export interface ParsedGraph extends GraphRequest {
	readonly page: RequestedPage;
}

/** @throws ServiceError of kind `invalid` */
export function parseGraph(raw: unknown): ParsedGraph {
	const { containerTag: one, containerTags: several, filters: filter, documents, limit, cursor, asOf } = read(raw);
	const page = toPage({ page: 1, limit, sort: "createdAt", order: "desc", ...(cursor === undefined ? {} : { cursor }) });
	const scope = { ...wholeOrganisation, containerTags: mergeTags(one, several), tagsMatch: "any", filter: parseFilter(filter) } as const;
	return { scope, page, includeDocuments: documents, knownAt: toInstant(asOf, "asOf") };
}

export function toGraph({ memories, edges, documents, total, next }: MemoryGraph, { scope, page }: ParsedGraph) {
	const documentIds = new Set(documents.map(({ id }) => id));
	const sources = memories.flatMap(({ id, evidence }) =>
		[...new Set(evidence.map(({ document }) => document))]
			.filter((document) => documentIds.has(document))
			.map((document) => ({ source: id, target: document, relation: "drawnFrom", directed: true, metadata: {} })),
	);
	return {
		graph: {
			directed: true,
			type: "memories",
			label: scope.containerTags.length === 0 ? "all containers" : scope.containerTags.join(", "),
			metadata: { total, nextCursor: toNextCursor(page, next) },
			nodes: Object.fromEntries([...memories.map(toMemoryNode), ...documents.map(toDocumentNode)]),
			edges: [...edges.map(({ from, to, relation }) => ({ source: from, target: to, relation, directed: true, metadata: {} })), ...sources],
		},
	};
}

function toMemoryNode(memory: Memory) {
	const { id, text, containerTag: tag, version, isLatest, isStatic, isInference, eventTime, forgetAfter, createdAt, updatedAt, metadata } = memory;
	return [
		id,
		{
			label: text,
			metadata: {
				kind: "memory",
				containerTag: tag,
				...{ version, isLatest, isStatic, isInference },
				eventTime: eventTime?.toISOString() ?? null,
				forgetAfter: forgetAfter?.toISOString() ?? null,
				createdAt: createdAt.toISOString(),
				updatedAt: updatedAt.toISOString(),
				metadata: toWireMetadata(metadata),
			},
		},
	] as const;
}

function toDocumentNode({ id, customId, containerTags: tags, findings, createdAt, updatedAt }: Document) {
	const { title, type } = findings;
	return [
		id,
		{
			label: title ?? customId ?? id,
			metadata: { kind: "document", type, customId, containerTags: [...tags], createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
		},
	] as const;
}

const anything = Type.Record(Type.String(), Type.Unknown());

export const graphSchema = Type.Object(
	{
		graph: Type.Object({
			directed: Type.Boolean(),
			type: Type.String(),
			label: Type.String(),
			metadata: Type.Object({
				total: Type.Integer({ description: "Memories on all pages. Forgotten ones are counted but not returned." }),
				nextCursor: Type.Union([Type.String(), Type.Null()], { description: "The cursor of the next page; null on the last page." }),
			}),
			nodes: Type.Record(Type.String(), Type.Object({ label: Type.String(), metadata: anything }), {
				description: "By id. `metadata.kind` is `memory` or `document`.",
			}),
			edges: Type.Array(
				Type.Object({
					source: Type.String({ description: "The newer memory." }),
					target: Type.String({ description: "The older memory, or the document." }),
					relation: Type.Union([Type.Literal("updates"), Type.Literal("extends"), Type.Literal("derives"), Type.Literal("drawnFrom")]),
					directed: Type.Boolean(),
					metadata: anything,
				}),
			),
		}),
	},
	{ $id: "MemoryGraph", description: "JSON Graph Format, version 2." },
);

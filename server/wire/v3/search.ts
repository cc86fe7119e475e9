/** `/v3/search`: parses the GET query or POST body to a `DocumentQuery`, and creates the response from the documents found. */

import { Type } from "@sinclair/typebox";
import { limits } from "../../../core/model/limits.ts";
import { roundScore } from "../../../core/ranking/relevance.ts";
import type { Explained } from "../../../core/search/explanation/explain.ts";
import type { DocumentQuery, FoundDocument } from "../../../core/search/search-documents.ts";
import { containerTag, containerTags, filepath, mergeTags, userId } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { reader } from "../requests/reader.ts";
import { explainField, toExplanation, toScoreParts } from "../responses/explanation.ts";
import type { ContentOf } from "../responses/long-response.ts";

const threshold = (description: string) => Type.Number({ minimum: 0, maximum: 1, default: 0, description });
const flag = (description: string) => Type.Boolean({ default: false, description });

export const query = Type.String({
	minLength: 1,
	maxLength: limits.queryCharactersMax,
	description:
		"What to search for. `*` lists the newest in scope, up to `limit`; documents are listed once they are done. For pages see `POST /v3/documents/list` and `POST /v4/memories/list`.",
	examples: ["first program"],
});
export const limit = Type.Integer({ minimum: 1, maximum: limits.searchResultsMax, default: limits.searchResultsDefault, description: "The most results." });
export const filters = Type.Unknown({
	description: 'Conditions on metadata: `{"AND": [{"key": "author", "value": "Ada"}]}`, nested with OR, or the same as a JSON string.',
	examples: [{ AND: [{ key: "author", value: "Ada" }] }],
	// Only described by it: `parseFilter` says better what is wrong.
	allOf: [{ $ref: "#/components/schemas/Filter" }],
});

export const documentSearchBody = Type.Object({
	q: query,
	limit,
	chunkThreshold: threshold("The minimum relevance of a chunk, from 0 (more results) to 1 (better results)."),
	documentThreshold: threshold("The minimum relevance of a document, which is that of its best chunk."),
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	userId: Type.Optional(userId),
	filters: Type.Optional(filters),
	docId: Type.Optional(
		Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax, description: "Search inside this document only: its id or customId." }),
	),
	filepath: Type.Optional(filepath),
	includeFullDocs: flag("Also return each document's full content."),
	includeSummary: flag("Also return each document's summary."),
	onlyMatchingChunks: flag("Leave out the chunks before and after a match."),
	rerank: flag("Rerank the best results with the reranker that is configured, such as a cross-encoder: better order, slower. Without one it changes nothing."),
	rewriteQuery: flag("Also search for other wordings of the query."),
	explain: explainField,
	categoriesFilter: Type.Optional(Type.Array(Type.String(), { description: "Accepted and ignored." })),
});

const read = reader(documentSearchBody);

export interface DocumentSearchRequest {
	/** Its scope has no document yet: `docId` must be resolved first. */
	readonly query: DocumentQuery;
	readonly docId: string | null;
	readonly includeContent: boolean;
	readonly includeSummary: boolean;
	readonly explain: boolean;
}

/** @throws ServiceError of kind `invalid` */
export function parseDocumentSearch(raw: unknown): DocumentSearchRequest {
	const body = read(raw);
	return {
		query: {
			query: body.q,
			scope: {
				containerTags: mergeTags(body.containerTag, body.containerTags, body.userId),
				tagsMatch: "all",
				filter: parseFilter(body.filters),
				document: null,
				filepath: body.filepath ?? null,
			},
			limit: body.limit,
			chunkThreshold: body.chunkThreshold,
			documentThreshold: body.documentThreshold,
			onlyMatchingChunks: body.onlyMatchingChunks,
			rerank: body.rerank,
			rewriteQuery: body.rewriteQuery,
		},
		docId: body.docId ?? null,
		includeContent: body.includeFullDocs,
		includeSummary: body.includeSummary,
		explain: body.explain,
	};
}

/** Adds `position` and `place` of each chunk, which the API contract does not have. */
export function toDocumentResults(
	found: readonly FoundDocument[],
	timingMs: number,
	{ includeSummary }: DocumentSearchRequest,
	contentOf: ContentOf | null,
	explained: Explained<FoundDocument> | null = null,
) {
	const scorePartsOf = (id: string) => (explained === null ? {} : { scoreParts: toScoreParts(explained.scorePartsOf(id)) });
	return {
		results: found.map(({ document, score, chunks }) => ({
			...scorePartsOf(chunks[0]?.chunk.id ?? ""),
			documentId: document.id,
			customId: document.customId,
			title: document.findings.title,
			type: document.findings.type,
			score: roundScore(score),
			chunks: chunks.map(({ chunk, score: chunkScore, isRelevant, isContext }) => ({
				content: chunk.text,
				score: roundScore(chunkScore),
				isRelevant,
				position: chunk.position,
				place: chunk.place,
				...(isContext ? {} : scorePartsOf(chunk.id)),
			})),
			metadata: document.metadata,
			createdAt: document.createdAt.toISOString(),
			updatedAt: document.updatedAt.toISOString(),
			...(includeSummary ? { summary: document.findings.summary } : {}),
			...(contentOf === null ? {} : { content: contentOf(document) }),
		})),
		timing: timingMs,
		total: found.length,
		...(explained === null ? {} : { explanation: toExplanation(explained) }),
	};
}

/** Parses the GET query or POST body of `/v4/search` to a `MemoryQuery`. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import type { MemoryQuery } from "../../../core/search/search-memories.ts";
import { containerTag, containerTags, filepath, instant, mergeTags, toInstant, userId } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { reader } from "../requests/reader.ts";
import { explainField } from "../responses/explanation.ts";
import { filters, limit, query } from "../v3/search.ts";

const flag = (description: string) => Type.Boolean({ default: false, description });

const include = Type.Object(
	{
		documents: flag("The source documents of each memory."),
		summaries: flag("Their summaries."),
		relatedMemories: flag("The five nearest of its parents, children and related memories, as `context`."),
		forgottenMemories: flag("Also memories that are forgotten, replaced or expired."),
		chunks: flag("The chunks that support each memory."),
	},
	{ description: "What to return besides the memories." },
);

/** The default of the API contract; results above it are clearly relevant. */
export const thresholdDefault = 0.6;

export const memorySearchBody = Type.Object({
	q: query,
	limit,
	maxTokens: Type.Optional(
		Type.Integer({
			minimum: limits.searchTokensMin,
			maximum: limits.searchTokensMax,
			description: "The most tokens, of about four characters, in the texts of all results together. Chunks are cut to their relevant passages.",
		}),
	),
	threshold: Type.Number({
		minimum: 0,
		maximum: 1,
		default: thresholdDefault,
		description: "The minimum relevance, from 0 (more results) to 1 (better results).",
	}),
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	userId: Type.Optional(userId),
	searchMode: Type.Optional(
		Type.Union([Type.Literal("memories"), Type.Literal("hybrid"), Type.Literal("documents")], {
			description: "Search memories (default), chunks of documents, or both.",
		}),
	),
	include: Type.Optional(include),
	filters: Type.Optional(filters),
	filepath: Type.Optional(filepath),
	docId: Type.Optional(
		Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax, description: "Only results from this document: its id or customId." }),
	),
	asOf: Type.Optional({
		...instant,
		description: "Memories as they were known at this time: in their versions of that time, without later ones, and including those forgotten since.",
	}),
	trueAt: Type.Optional({
		...instant,
		description: "Memories that were true at this time, by the dates in them, as known today or at `asOf`.",
	}),
	rerank: flag("Rerank the best results with the reranker that is configured, such as a cross-encoder: better order, slower. Without one it changes nothing."),
	rewriteQuery: flag("Also search for other wordings of the query."),
	explain: explainField,
	aggregate: flag("Also return summaries of several found memories, as `isAggregated` results. Has no effect without a language model."),
});

const read = reader(memorySearchBody);

export interface MemorySearchRequest {
	/** Its scope has no document yet: `docId` must be resolved first. */
	readonly query: Omit<MemoryQuery, "now">;
	readonly docId: string | null;
	readonly explain: boolean;
	readonly show: { readonly documents: boolean; readonly summaries: boolean; readonly context: boolean; readonly chunks: boolean };
}

/** @throws ServiceError of kind `invalid` */
export function parseMemorySearch(raw: unknown): MemorySearchRequest {
	const body = read(raw);
	if (body.aggregate && body.rerank) throw fail("INPUT_INVALID", "aggregate and rerank cannot be combined");
	if ((body.asOf ?? body.trueAt) !== undefined && (body.searchMode ?? "memories") !== "memories")
		throw fail("INPUT_INVALID", "asOf and trueAt are only possible with searchMode memories");
	// By the specification every response has context and documents. Strict clients, which cannot parse them, always send a mode.
	const isPlain = body.include === undefined && body.searchMode === undefined;
	const show = {
		documents: body.include?.documents ?? isPlain,
		summaries: body.include?.summaries ?? false,
		context: body.include?.relatedMemories ?? isPlain,
		chunks: body.include?.chunks ?? false,
	};
	return {
		query: {
			query: body.q,
			scope: {
				containerTags: mergeTags(body.containerTag, body.containerTags, body.userId),
				tagsMatch: "any",
				filter: parseFilter(body.filters),
				document: null,
				filepath: body.filepath ?? null,
			},
			mode: body.searchMode ?? "memories",
			limit: body.limit,
			...(body.maxTokens === undefined ? {} : { tokensMax: body.maxTokens }),
			threshold: body.threshold,
			rerank: body.rerank,
			rewriteQuery: body.rewriteQuery,
			aggregate: body.aggregate,
			includeForgotten: body.include?.forgottenMemories ?? false,
			includeRelatives: show.context,
			includeChunks: show.chunks,
			asOf: toInstant(body.asOf, "asOf"),
			trueAt: toInstant(body.trueAt, "trueAt"),
		},
		docId: body.docId ?? null,
		explain: body.explain,
		show,
	};
}

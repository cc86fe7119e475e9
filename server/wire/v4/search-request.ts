/** GET query or POST body of `/v4/search` → one `MemoryQuery`. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import { limits } from "../../../core/model/limits.ts";
import type { MemoryQuery } from "../../../core/search/search-memories.ts";
import { explainField } from "../answers/explanation.ts";
import { containerTag, containerTags, filepath, instant, toInstant, unitedTags, userId } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { reader } from "../requests/reader.ts";
import { filters, limit, query } from "../v3/search.ts";

const flag = (description: string) => Type.Boolean({ default: false, description });

const include = Type.Object(
	{
		documents: flag("The source documents of each memory."),
		summaries: flag("Their summaries."),
		relatedMemories: flag("The five nearest of its parents, children and related memories, as `context`."),
		forgottenMemories: flag("Also memories that were forgotten, replaced or have expired."),
		chunks: flag("The chunks that support each memory."),
	},
	{ description: "What to answer beside the memories." },
);

/** The contract's default: what a person would call relevant. */
export const thresholdDefault = 0.6;

export const memorySearchBody = Type.Object({
	q: query,
	limit,
	maxTokens: Type.Optional(
		Type.Integer({
			minimum: limits.searchTokensMin,
			maximum: limits.searchTokensMax,
			description: "At most so many tokens in the texts of all results together, about four characters each. Chunks are cut down to the passages that matter.",
		}),
	),
	threshold: Type.Number({ minimum: 0, maximum: 1, default: thresholdDefault, description: "Least relevance, from 0 (more results) to 1 (better results)." }),
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
		Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax, description: "Only what comes from this document: its id or customId." }),
	),
	asOf: Type.Optional({
		...instant,
		description: "Memories as they were known at this time: the versions of then, without what was learnt later, and with what was forgotten since.",
	}),
	trueAt: Type.Optional({
		...instant,
		description: "Memories that were so at this time, by the days they speak of, as far as is known today or at `asOf`.",
	}),
	rerank: flag("Have a second scorer look at the best results: better order, slower."),
	rewriteQuery: flag("Also search for other phrasings of the query."),
	explain: explainField,
	aggregate: flag("Also answer what several of the found memories say together, as `isAggregated` results. Without a language model it changes nothing."),
});

const read = reader(memorySearchBody);

export interface MemorySearchRequest {
	/** Its scope still lacks the document: that has to be looked up. */
	readonly query: Omit<MemoryQuery, "now">;
	readonly docId: string | null;
	readonly explain: boolean;
	readonly show: { readonly documents: boolean; readonly summaries: boolean; readonly context: boolean; readonly chunks: boolean };
}

/** @throws ServiceError of kind `invalid` */
export function parseMemorySearch(raw: unknown): MemorySearchRequest {
	const body = read(raw);
	if (body.aggregate && body.rerank) throw fail("INPUT_INVALID", "aggregate and rerank do not go together");
	if ((body.asOf ?? body.trueAt) !== undefined && (body.searchMode ?? "memories") !== "memories")
		throw fail("INPUT_INVALID", "asOf and trueAt ask for memories, not for chunks");
	// The specification shows context and documents in every answer; the strict clients, which cannot read them, always name a mode.
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
				containerTags: unitedTags(body.containerTag, body.containerTags, body.userId),
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

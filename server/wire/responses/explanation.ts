/** `explanation` and `scoreParts`: what a search with `explain` returns in addition. */

import { Type } from "@sinclair/typebox";
import type { Condition, Filter } from "../../../core/model/filter.ts";
import { roundScore } from "../../../core/ranking/relevance.ts";
import type { Counted, Explained, Explanation } from "../../../core/search/explanation/explain.ts";
import type { ScoreParts } from "../../../core/search/trace.ts";

export const explainField = Type.Boolean({
	default: false,
	description: "Also return what each score is computed from, and how much was searched, filtered out or is not indexed yet.",
});

const numberOrNull = Type.Union([Type.Number(), Type.Null()]);
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const countFields = { inScope: Type.Integer(), removedByFilter: Type.Integer() };

export const scorePartsSchema = Type.Object(
	{
		cosine: Type.Union([Type.Number(), Type.Null()], { description: "The cosine of the query's vector and this one; null when there is no vector." }),
		affinity: Type.Union([Type.Number(), Type.Null()], {
			description: "That cosine on the scale of this embedder: 0 for unrelated texts, 1 for a paraphrase.",
		}),
		words: Type.Number({ description: "The score of the keyword search, from 0 to 1." }),
		exact: Type.Number({ description: "The share of the query's quoted phrases and identifiers that it contains literally, from 0 to 1." }),
		around: Type.Number({ description: "What the neighbouring chunks of its document contribute." }),
		covered: Type.Union([Type.Number(), Type.Null()], {
			description: "The share of the query's words that it and its neighbours contain, from 0 to 1; null in searches for documents.",
		}),
		fused: Type.Number({ description: "All of these combined, before reranking." }),
		rank: Type.Integer({ description: "The rank among the candidates by that score." }),
		rerank: Type.Union([Type.Number(), Type.Null()], { description: "The reranker's score; null when there was no reranking." }),
		phrasing: Type.String({ description: "The wording of the query with the best score for it." }),
		trust: Type.Number({ description: "The weight of that wording: 1 for the client's own." }),
		inference: Type.Number({ description: "The weight of an inferred memory compared with a stated one." }),
	},
	{ $id: "ScoreParts" },
);

export const explanationSchema = Type.Object(
	{
		scope: Type.Object({
			containerTags: Type.Array(Type.String(), { description: "Empty for all." }),
			match: Type.Union([Type.Literal("all"), Type.Literal("any")]),
			filter: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
			documentId: textOrNull,
			filepath: textOrNull,
		}),
		documents: Type.Object({ ...countFields, beingIndexed: Type.Integer(), failed: Type.Integer(), dreaming: Type.Integer() }),
		memories: Type.Union([Type.Object(countFields), Type.Null()], { description: "Null when memories were not searched." }),
		candidates: Type.Object({ seen: Type.Integer(), threshold: Type.Number(), belowThreshold: Type.Integer(), bestBelow: numberOrNull }),
		phrasings: Type.Array(Type.String()),
		why: Type.Union([Type.String(), Type.Null()], { description: "A sentence that explains why there are fewer results than requested." }),
		hint: Type.Union([Type.String(), Type.Null()], {
			description: "A sentence, when the embedder does not know the query's language, or when only vectors were searched.",
		}),
	},
	{ $id: "Explanation" },
);

export function toScoreParts(parts: ScoreParts | null) {
	if (parts === null) return null;
	const { cosine, affinity, words, exact, around, covered, fused, rank, rerank, variant, trust, inference } = parts;
	return {
		cosine: orNull(cosine),
		affinity: orNull(affinity),
		words: roundScore(words),
		exact: roundScore(exact),
		around: roundScore(around),
		covered: orNull(covered),
		fused: roundScore(fused),
		rank,
		rerank: orNull(rerank),
		phrasing: variant,
		trust,
		inference,
	};
}

export function toExplanation({ explanation }: Pick<Explained<unknown>, "explanation">) {
	const { scope, documents, memories, candidates, variants, why, hint }: Explanation = explanation;
	return {
		scope: {
			containerTags: scope.containerTags,
			match: scope.tagsMatch,
			filter: scope.filter === null ? null : toWireFilter(scope.filter),
			documentId: scope.document,
			filepath: scope.filepath,
		},
		documents: { ...toCounts(documents), beingIndexed: documents.beingIndexed, failed: documents.failed, dreaming: documents.dreaming },
		memories: memories === null ? null : toCounts(memories),
		candidates: { ...candidates, bestBelow: orNull(candidates.bestBelow) },
		phrasings: variants,
		why,
		hint,
	};
}

function toCounts({ inScope, removedByFilter }: Counted): Counted {
	return { inScope, removedByFilter };
}

/** The filter as the server parsed it, in the format of requests. */
function toWireFilter(filter: Filter): Record<string, unknown> {
	if (filter.kind === "and") return { AND: filter.parts.map(toWireFilter) };
	if (filter.kind === "or") return { OR: filter.parts.map(toWireFilter) };
	const { key, value, negate } = filter;
	return { key, value: String(value), negate, ...matchOptions(filter) };
}

const filterTypes = { equals: "metadata", "contains-element": "array_contains", "contains-text": "string_contains" } as const;

function matchOptions(condition: Condition): Record<string, unknown> {
	if (condition.kind === "numeric") return { filterType: "numeric", numericOperator: condition.operator };
	return { filterType: filterTypes[condition.kind], ignoreCase: condition.ignoreCase };
}

function orNull(score: number | null): number | null {
	return score === null ? null : roundScore(score);
}

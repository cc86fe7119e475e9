/** `explanation` and `scoreParts`: the answer of a search with `explain`. */

import { Type } from "@sinclair/typebox";
import type { Condition, Filter } from "../../../core/model/filter.ts";
import type { Counted, Explained, Explanation } from "../../../core/search/explanation/explain.ts";
import type { ScoreParts } from "../../../core/search/trace.ts";
import { roundScore } from "./score.ts";

export const explainField = Type.Boolean({
	default: false,
	description: "Also say what each score is made of, and what was seen, passed over or is not ready yet.",
});

const numberOrNull = Type.Union([Type.Number(), Type.Null()]);
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const counted = { inScope: Type.Integer(), removedByFilter: Type.Integer() };

export const scorePartsSchema = Type.Object(
	{
		cosine: Type.Union([Type.Number(), Type.Null()], { description: "Of the vectors; null when there is none." }),
		affinity: Type.Union([Type.Number(), Type.Null()], { description: "What that cosine is worth with this embedder, from 0 to 1." }),
		words: Type.Number({ description: "How well the words fit, from 0 to 1." }),
		exact: Type.Number({ description: "How much of the query's quoted phrases and identifiers stands in it letter by letter, from 0 to 1." }),
		around: Type.Number({ description: "What the chunks around it in its document count for it, on the scale of evidence." }),
		covered: Type.Union([Type.Number(), Type.Null()], {
			description: "How much of the query its words and those around it cover, from 0 to 1; null in searches for documents.",
		}),
		fused: Type.Number({ description: "All of it together, before any reranking." }),
		rank: Type.Integer({ description: "The place among the candidates by that." }),
		rerank: Type.Union([Type.Number(), Type.Null()], { description: "The reranker's opinion; null when it was not asked." }),
		phrasing: Type.String({ description: "The phrasing of the query that found it best." }),
		trust: Type.Number({ description: "How much that phrasing counts: 1 for the client's own." }),
		inference: Type.Number({ description: "What an inferred memory counts against one that was said." }),
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
		documents: Type.Object({ ...counted, beingIndexed: Type.Integer(), failed: Type.Integer(), dreaming: Type.Integer() }),
		memories: Type.Union([Type.Object(counted), Type.Null()], { description: "Null when no memories were looked for." }),
		candidates: Type.Object({ seen: Type.Integer(), threshold: Type.Number(), belowThreshold: Type.Integer(), bestBelow: numberOrNull }),
		phrasings: Type.Array(Type.String()),
		why: Type.Union([Type.String(), Type.Null()], { description: "In words, when there are fewer results than were asked for." }),
		hint: Type.Union([Type.String(), Type.Null()], {
			description: "In words, when the query is in a language that the embedder does not know, or when vectors alone have answered.",
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
		documents: { ...toCounted(documents), beingIndexed: documents.beingIndexed, failed: documents.failed, dreaming: documents.dreaming },
		memories: memories === null ? null : toCounted(memories),
		candidates: { ...candidates, bestBelow: orNull(candidates.bestBelow) },
		phrasings: variants,
		why,
		hint,
	};
}

function toCounted({ inScope, removedByFilter }: Counted): Counted {
	return { inScope, removedByFilter };
}

/** As the server understood it, in the words of the request. */
function toWireFilter(filter: Filter): Record<string, unknown> {
	if (filter.kind === "and") return { AND: filter.parts.map(toWireFilter) };
	if (filter.kind === "or") return { OR: filter.parts.map(toWireFilter) };
	const { key, value, negate } = filter;
	return { key, value: String(value), negate, ...manner(filter) };
}

const filterTypes = { equals: "metadata", "contains-element": "array_contains", "contains-text": "string_contains" } as const;

function manner(condition: Condition): Record<string, unknown> {
	if (condition.kind === "numeric") return { filterType: "numeric", numericOperator: condition.operator };
	return { filterType: filterTypes[condition.kind], ignoreCase: condition.ignoreCase };
}

function orNull(score: number | null): number | null {
	return score === null ? null : roundScore(score);
}

/** Records what a search looked at, for explanations. A search that nothing explains has no trace. */

import type { DocumentId } from "../model/id.ts";
import { affinity, type EmbeddingSpace } from "../model/vector.ts";
import type { Candidate } from "../ranking/fuse.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";

/** From what the score of a chunk or memory was computed. */
export interface ScoreParts {
	/** The cosine to the query variant; null if the text has no vector in this embedding space. */
	readonly cosine: number | null;
	/** The cosine on the scale of the embedder, from 0 (unrelated) to 1 (a paraphrase). */
	readonly affinity: number | null;
	/** The word score; 0 if the word index did not find the text. */
	readonly words: number;
	/** How much of what the query asks for word for word the text contains, see `exactShare`. */
	readonly exact: number;
	/** What the neighbouring chunks add, see `mixNeighbours`. */
	readonly around: number;
	/** How much of the query the text covers, see `coverages`; null if that was not computed. */
	readonly covered: number | null;
	/** The query variant with the best score for it, and how much the variant is trusted. */
	readonly variant: string;
	readonly trust: number;
	/** The relevance: all of the above in one number. */
	readonly fused: number;
	/** Its rank by `fused`, from 1. */
	readonly rank: number;
	/** The reranker's score; null if it was not asked. */
	readonly rerank: number | null;
	/** The factor for an inferred memory; 1 for everything else. */
	readonly inference: number;
}

/** A candidate with its final score, whether it is shown or not. */
export interface ScoredItem {
	readonly id: string;
	/** The document of a chunk; null for a memory. */
	readonly document: DocumentId | null;
	readonly score: number;
	readonly opinion: number | null;
	readonly inference: number;
}

export interface Trace {
	readonly queried: (variants: readonly QueryVariant[]) => void;
	/** Called once for chunks and once for memories. */
	readonly retrieved: (candidates: readonly Candidate<{ readonly id: string }>[]) => void;
	/** May be called repeatedly, when a search asks for more candidates. The last call counts. */
	readonly scored: (items: readonly ScoredItem[]) => void;
	/** Called if the word index had not read all texts yet. */
	readonly unread: () => void;
}

/** A trace that an explanation can read. */
export interface ReadableTrace extends Trace {
	readonly variants: () => readonly string[];
	readonly areWordsUnread: () => boolean;
	readonly all: () => readonly ScoredItem[];
	/** Null for a text that was found without a comparison with the query. */
	readonly scorePartsOf: (id: string) => ScoreParts | null;
}

export function createTrace({ calibration }: EmbeddingSpace): ReadableTrace {
	let variants: readonly QueryVariant[] = [];
	let areWordsUnread = false;
	let scored = new Map<string, ScoredItem>();
	const candidates = new Map<string, { readonly candidate: Candidate<{ readonly id: string }>; readonly rank: number }>();
	return {
		queried: (given) => {
			variants = given;
		},
		retrieved: (given) => {
			for (const [i, candidate] of given.entries()) candidates.set(candidate.hit.id, { candidate, rank: i + 1 });
		},
		scored: (items) => {
			scored = new Map(items.map((item) => [item.id, item]));
		},
		unread: () => {
			areWordsUnread = true;
		},
		areWordsUnread: () => areWordsUnread,
		variants: () => variants.map(({ text }) => text),
		all: () => [...scored.values()],
		scorePartsOf: (id) => {
			const known = candidates.get(id);
			if (known === undefined) return null;
			const { evidence, variant, score } = known.candidate;
			return {
				cosine: evidence.cosine,
				affinity: evidence.cosine === null ? null : affinity(evidence.cosine, calibration),
				words: evidence.words,
				exact: evidence.exact ?? 0,
				around: evidence.around ?? 0,
				covered: evidence.covered ?? null,
				variant: variant.text,
				trust: variant.trust,
				fused: score,
				rank: known.rank,
				rerank: scored.get(id)?.opinion ?? null,
				inference: scored.get(id)?.inference ?? 1,
			};
		},
	};
}

/** Records what a search looked at, for explanations. A search that nothing explains has no trace. */

import type { DocumentId } from "../model/id.ts";
import { affinity, type EmbeddingSpace } from "../model/vector.ts";
import type { Candidate } from "../ranking/fuse.ts";
import type { QueryVariant } from "../ranking/query-variant.ts";

/** What a score is made of. */
export interface ScoreParts {
	/** To the query variant; null when it has no vector in this space. */
	readonly cosine: number | null;
	/** What the cosine is worth on the scale of the embedder, from 0 (unrelated) to 1 (related). */
	readonly affinity: number | null;
	/** How well the words fit; 0 when they did not find it. */
	readonly words: number;
	/** How much of what the query says to the letter it holds, see `exactShare`. */
	readonly exact: number;
	/** What the chunks around it count for it, see `mixNeighbours`. */
	readonly around: number;
	/** How much of the query it covers, see `coverages`; null where that was not looked at. */
	readonly covered: number | null;
	/** The query variant that found it best, and what that counts. */
	readonly variant: string;
	readonly trust: number;
	/** All of it together as one relevance. */
	readonly fused: number;
	/** Its place by that, from 1. */
	readonly rank: number;
	/** The reranker's opinion; null when it was not asked. */
	readonly rerank: number | null;
	/** What an inferred memory counts against one that was said; 1 for all else. */
	readonly inference: number;
}

/** A candidate with its final score, whether it is shown or not. */
export interface Judged {
	readonly id: string;
	/** Of a chunk. */
	readonly document: DocumentId | null;
	readonly score: number;
	readonly opinion: number | null;
	readonly inference: number;
}

export interface Trace {
	readonly queried: (variants: readonly QueryVariant[]) => void;
	/** Both pools of a search may call it. */
	readonly retrieved: (candidates: readonly Candidate<{ readonly id: string }>[]) => void;
	/** Called again when the search reaches further: the last time counts. */
	readonly judged: (items: readonly Judged[]) => void;
	/** The words of some texts were not read yet. */
	readonly unread: () => void;
}

export interface KeptTrace extends Trace {
	readonly variants: () => readonly string[];
	readonly areWordsUnread: () => boolean;
	readonly all: () => readonly Judged[];
	/** Null for what was found without being compared. */
	readonly partsOf: (id: string) => ScoreParts | null;
}

export function createTrace({ calibration }: EmbeddingSpace): KeptTrace {
	let variants: readonly QueryVariant[] = [];
	let areWordsUnread = false;
	let judged = new Map<string, Judged>();
	const candidates = new Map<string, { readonly candidate: Candidate<{ readonly id: string }>; readonly rank: number }>();
	return {
		queried: (given) => {
			variants = given;
		},
		retrieved: (given) => {
			for (const [i, candidate] of given.entries()) candidates.set(candidate.hit.id, { candidate, rank: i + 1 });
		},
		judged: (items) => {
			judged = new Map(items.map((item) => [item.id, item]));
		},
		unread: () => {
			areWordsUnread = true;
		},
		areWordsUnread: () => areWordsUnread,
		variants: () => variants.map(({ text }) => text),
		all: () => [...judged.values()],
		partsOf: (id) => {
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
				rerank: judged.get(id)?.opinion ?? null,
				inference: judged.get(id)?.inference ?? 1,
			};
		},
	};
}

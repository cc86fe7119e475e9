/** Candidates that contain, word for word, what the query marks as exact get a higher score. */

import type { EmbeddingSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-search.ts";
import { exactShare } from "./exact.ts";
import { byRelevance, type Candidate } from "./fuse.ts";
import { relevance } from "./relevance.ts";

/** Best first. @param parts see `exactParts`; with none everything stays as it is */
export function boostExactMatches<AnyHit extends Hit<string>>(
	candidates: readonly Candidate<AnyHit>[],
	parts: readonly string[],
	textOf: (id: AnyHit["id"]) => string | undefined,
	space: EmbeddingSpace,
): readonly Candidate<AnyHit>[] {
	if (parts.length === 0) return candidates;
	return candidates
		.map((candidate) => {
			const text = textOf(candidate.hit.id);
			const exact = text === undefined ? 0 : exactShare(parts, text);
			if (exact === 0) return candidate;
			const evidence = { ...candidate.evidence, exact };
			return { ...candidate, evidence, score: candidate.variant.trust * relevance(evidence, space) };
		})
		.sort(byRelevance);
}

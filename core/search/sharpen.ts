/** Where the query says something to the letter, candidates that hold it to the letter count for more. */

import type { VectorSpace } from "../model/vector.ts";
import type { Hit } from "../ports/vector-index.ts";
import { exactShare } from "./exact.ts";
import { byRelevance, type Candidate } from "./fuse.ts";
import { relevance } from "./relevance.ts";

/** Best first. @param parts see `exactParts`; with none everything stays as it is */
export function sharpen<Found extends Hit<string>>(
	candidates: readonly Candidate<Found>[],
	parts: readonly string[],
	textOf: (id: Found["id"]) => string | undefined,
	space: VectorSpace,
): readonly Candidate<Found>[] {
	if (parts.length === 0) return candidates;
	return candidates
		.map((candidate) => {
			const text = textOf(candidate.hit.id);
			const exact = text === undefined ? 0 : exactShare(parts, text);
			if (exact === 0) return candidate;
			const evidence = { ...candidate.evidence, exact };
			return { ...candidate, evidence, score: candidate.phrasing.trust * relevance(evidence, space) };
		})
		.sort(byRelevance);
}

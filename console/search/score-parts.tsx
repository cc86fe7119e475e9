/** What the score of a hit was computed from, for who asks. */

import type { ScoreParts } from "../api/wire.ts";
import { More } from "../parts/more.tsx";

export function WhyThisScore({ parts, of }: { readonly parts: ScoreParts | null; readonly of: string }) {
	if (parts === null) return null;
	return (
		<More label="Why this score" about={`of ${of}`}>
			{() => (
				<dl className="facts">
					{partsInWords(parts).map(([name, value]) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd>{value}</dd>
						</div>
					))}
				</dl>
			)}
		</More>
	);
}

/** What says nothing about this hit is left out. */
function partsInWords(parts: ScoreParts): readonly (readonly [name: string, value: string])[] {
	const { cosine, affinity, words, exact, around, covered, fused, rank, rerank, phrasing, trust, inference } = parts;
	const all: readonly (readonly [string, string | null])[] = [
		["By its words", shown(words)],
		["By its meaning", affinity === null ? "it has no vector" : shown(affinity)],
		["Cosine of the vectors", cosine === null ? null : shown(cosine)],
		["Words of the query in it", covered === null ? null : shown(covered)],
		["Quoted words and codes", exact === 0 ? null : shown(exact)],
		["Chunks beside it", around === 0 ? null : shown(around)],
		["Inferred, so it counts", inference === 1 ? null : `× ${shown(inference)}`],
		["Best for the wording", trust === 1 ? null : `${phrasing} (× ${shown(trust)})`],
		["All together", shown(fused)],
		["Place by that", String(rank)],
		["By the reranker", rerank === null ? null : shown(rerank)],
	];
	return all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function shown(score: number): string {
	return score.toFixed(2);
}

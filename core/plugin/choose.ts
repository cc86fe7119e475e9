/** Chooses the extractor or chunker for an input: by the most specific media type, then by its own test of the input, then by config order. */

import type { MediaType } from "../model/media-type.ts";

interface Choosable<Input> {
	readonly accepts: readonly MediaType[];
	readonly recognizes?: (input: Input) => boolean;
}

/**
 * A candidate whose `recognizes` returns false is left out. Of candidates that match the media type equally well, one whose `recognizes`
 * returned true comes before one without that test.
 */
export function choose<Input, Candidate extends Choosable<Input>>(candidates: readonly Candidate[], type: MediaType, input: Input): Candidate | null {
	let best: Candidate | null = null;
	let bestRank = -1;
	for (const candidate of candidates) {
		const match = Math.max(-1, ...candidate.accepts.map((pattern) => specificity(pattern, type)));
		if (match < 0 || candidate.recognizes?.(input) === false) continue;
		const rank = match * 2 + (candidate.recognizes === undefined ? 0 : 1);
		if (rank > bestRank) {
			best = candidate;
			bestRank = rank;
		}
	}
	return best;
}

/** How specifically a pattern matches a media type: 2 for the same type, 1 for a pattern such as `image/*`, 0 for any type, -1 for no match. */
export function specificity(pattern: MediaType, type: MediaType): number {
	if (pattern === type) return 2;
	if (pattern === "*/*") return 0;
	const [mainType, subtype] = pattern.split("/");
	return subtype === "*" && type.startsWith(`${mainType}/`) ? 1 : -1;
}

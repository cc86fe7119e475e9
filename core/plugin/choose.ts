/** Chooses the part for a document: the one that recognizes it, then the most specific media type, then config order. */

import type { MediaType } from "../model/media-type.ts";

interface Choosable<Thing> {
	readonly accepts: readonly MediaType[];
	readonly recognizes?: (thing: Thing) => boolean;
}

/** A part that has a second look and does not recognize the thing is out; one that does comes before its equals that did not look. */
export function choose<Thing, Part extends Choosable<Thing>>(parts: readonly Part[], type: MediaType, thing: Thing): Part | null {
	let best: Part | null = null;
	let bestRank = -1;
	for (const part of parts) {
		const fit = Math.max(-1, ...part.accepts.map((pattern) => specificity(pattern, type)));
		if (fit < 0 || part.recognizes?.(thing) === false) continue;
		const rank = fit * 2 + (part.recognizes === undefined ? 0 : 1);
		if (rank > bestRank) {
			best = part;
			bestRank = rank;
		}
	}
	return best;
}

/** How well a pattern fits: 2 for the very type, 1 for its family (`image/*`), 0 for everything, -1 for not at all. */
export function specificity(pattern: MediaType, type: MediaType): number {
	if (pattern === type) return 2;
	if (pattern === "*/*") return 0;
	const [family, rest] = pattern.split("/");
	return rest === "*" && type.startsWith(`${family}/`) ? 1 : -1;
}

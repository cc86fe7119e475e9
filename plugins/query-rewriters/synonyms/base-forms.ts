/** The base forms of a word under which WordNet may list it, by WordNet's own rules (morphy). */

import type { PartOfSpeech } from "./wordnet.ts";

const endings: Readonly<Record<PartOfSpeech, readonly (readonly [ending: string, replacement: string])[]>> = {
	noun: [
		["s", ""],
		["ses", "s"],
		["xes", "x"],
		["zes", "z"],
		["ches", "ch"],
		["shes", "sh"],
		["men", "man"],
		["ies", "y"],
	],
	verb: [
		["s", ""],
		["ies", "y"],
		["es", "e"],
		["es", ""],
		["ed", "e"],
		["ed", ""],
		["ing", "e"],
		["ing", ""],
	],
	adj: [
		["er", ""],
		["est", ""],
		["er", "e"],
		["est", "e"],
	],
	adv: [],
};

export function baseForms(word: string, part: PartOfSpeech): readonly string[] {
	return endings[part]
		.filter(([ending]) => word.length > ending.length + 1 && word.endsWith(ending))
		.map(([ending, replacement]) => word.slice(0, -ending.length) + replacement);
}

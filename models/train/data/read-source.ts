/** One file of the training data as numbers of words, without the lines that share something with an evaluation. */

import type { Fingerprints } from "../overlap/fingerprints.ts";
import type { TextList } from "./corpus.ts";
import { encodeText } from "./encode-text.ts";
import { createGrowing } from "./growing.ts";
import type { Lexicon } from "./lexicon.ts";
import { readLines } from "./read-lines.ts";

export interface ReadSource {
	readonly texts: TextList;
	readonly lines: number;
	/** Lines left out because a text of theirs, a sentence or eight words in a row are in an evaluation. */
	readonly dropped: number;
}

/** A line is one text, or two with a tab between where they are pairs. */
export async function readSource(path: string, kind: "pairs" | "raw", lexicon: Lexicon, evaluation: Fingerprints): Promise<ReadSource> {
	const numbers = createGrowing();
	const starts = createGrowing();
	let lines = 0;
	let dropped = 0;
	for await (const line of readLines(path)) {
		const texts = (kind === "pairs" ? line.split("\t").slice(0, 2) : [line]).map((text) => encodeText(text, lexicon));
		if (kind === "pairs" && texts.length < 2) continue;
		lines++;
		if (texts.some((text) => evaluation.shared(text) !== null)) {
			dropped++;
			continue;
		}
		for (const text of texts) {
			starts.push(numbers.length());
			for (const number of text.numbers) numbers.push(number);
		}
	}
	starts.push(numbers.length());
	return { texts: { numbers: numbers.values(), starts: starts.values() }, lines, dropped };
}

/** Counts the lines of training data, or the texts of a corpus that a training kept, that share something with evaluations. */

import { type Corpus, loadCorpus, textAt, textsIn } from "../data/corpus.ts";
import { createLexicon } from "../data/lexicon.ts";
import { dataFiles } from "../data/read-all.ts";
import { readSource } from "../data/read-source.ts";
import { fingerprintsOf } from "./fingerprints-of.ts";

export interface Overlap {
	readonly name: string;
	readonly kind: "pairs" | "raw";
	readonly texts: number;
	readonly shared: number;
}

/** By whole texts, by sentences and by eight words in a row. A line of pairs is one text here. */
export async function overlapOfData(folder: string, evaluations: readonly string[]): Promise<readonly Overlap[]> {
	const lexicon = createLexicon();
	const evaluation = await fingerprintsOf(evaluations, lexicon);
	const found: Overlap[] = [];
	for (const { name, kind, path } of await dataFiles(folder)) {
		const { lines, dropped } = await readSource(path, kind, lexicon, evaluation);
		found.push({ name, kind, texts: lines, shared: dropped });
	}
	return found;
}

/** By whole texts and by eight words in a row; a corpus does not keep where its sentences end. */
export async function overlapOfCorpus(folder: string, evaluations: readonly string[]): Promise<readonly Overlap[]> {
	const corpus: Corpus = await loadCorpus(folder);
	const lexicon = createLexicon(corpus.words);
	const evaluation = await fingerprintsOf(evaluations, lexicon);
	return corpus.sources.map(({ name, kind, texts }) => {
		let shared = 0;
		for (let i = 0; i < textsIn(texts); i++) if (evaluation.shared({ numbers: textAt(texts, i), sentenceEnds: [] }) !== null) shared++;
		return { name, kind, texts: textsIn(texts), shared };
	});
}

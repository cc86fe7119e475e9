/** Reads all training data of a folder, `pairs/*.tsv.xz` and `raw/*.txt.xz`, packed or not, and keeps it as numbers. */

import { fingerprintsOf } from "../overlap/fingerprints-of.ts";
import { saveSource, saveWords } from "./corpus.ts";
import { createLexicon } from "./lexicon.ts";
import { readSource } from "./read-source.ts";

export interface ReadReport {
	readonly name: string;
	readonly kind: "pairs" | "raw";
	readonly lines: number;
	readonly dropped: number;
}

export interface DataFile {
	readonly name: string;
	readonly kind: "pairs" | "raw";
	readonly path: string;
}

export async function dataFiles(folder: string): Promise<readonly DataFile[]> {
	const paths = (await Array.fromAsync(new Bun.Glob("{pairs,raw}/*.{tsv,txt}{,.xz}").scan({ cwd: folder }))).sort();
	if (paths.length === 0) throw new Error(`there is neither pairs/*.tsv.xz nor raw/*.txt.xz in ${folder}`);
	return paths.map((path) => ({
		name: path.replace(/^.*\//, "").replace(/\..*$/, ""),
		kind: path.startsWith("raw/") ? "raw" : "pairs",
		path: `${folder}/${path}`,
	}));
}

export async function readAll(folder: string, evaluations: readonly string[], to: string, log: (line: string) => void): Promise<readonly ReadReport[]> {
	const lexicon = createLexicon();
	const evaluation = await fingerprintsOf(evaluations, lexicon);
	log(`${evaluation.size()} fingerprints of evaluations`);
	const reports: ReadReport[] = [];
	for (const { name, kind, path } of await dataFiles(folder)) {
		const { texts, lines, dropped } = await readSource(path, kind, lexicon, evaluation);
		await saveSource(to, { name, kind, texts });
		log(`${kind}/${name}: ${lines} lines, ${dropped} dropped, ${texts.numbers.length} words`);
		reports.push({ name, kind, lines, dropped });
	}
	await saveWords(to, lexicon.words);
	return reports;
}

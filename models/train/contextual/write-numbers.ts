/**
 * Writes what the training of the contextual encoder reads: `bun models/train/contextual/write-numbers.ts --data FOLDER --eval FOLDER
 * --measure FOLDER --out FOLDER`. Training texts as numbers of words without any line that shares something with an evaluation,
 * the static table with the rows of each word, and the collections to measure with.
 */

import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { readCollection } from "../../../bench/embedding/collection.ts";
import { spelledFeatures, wordFeatures } from "../../../plugins/embedders/static/features.ts";
import { decodeModel, type Model } from "../../../plugins/embedders/static/model.ts";
import { wordsOf } from "../../../plugins/embedders/static/pool.ts";
import { createLexicon, type Lexicon } from "../data/lexicon.ts";
import { readAll } from "../data/read-all.ts";

const { values } = parseArgs({
	options: {
		data: { type: "string" },
		out: { type: "string" },
		model: { type: "string", default: "models/static-en/model.bin" },
		eval: { type: "string", multiple: true, default: [] },
		measure: { type: "string" },
	},
});
const { data, out, measure } = values;
if (data === undefined || out === undefined || measure === undefined) throw new Error("say --data FOLDER --eval FOLDER --measure FOLDER --out FOLDER");
const corpus = `${out}/checkpoints/corpus`;
await mkdir(`${out}/sets`, { recursive: true });
if (!(await Bun.file(`${corpus}/words.json`).exists())) await readAll(data, values.eval, corpus, console.log);
const lexicon = createLexicon(await Bun.file(`${corpus}/words.json`).json());
for await (const file of new Bun.Glob("*/qrels.tsv").scan({ cwd: measure })) await writeCollection(`${measure}/${file.replace("/qrels.tsv", "")}`, lexicon);
const model = decodeModel(await Bun.file(values.model).bytes(), values.model);
await writeTable(model);
await writeRows(lexicon.words, model);

/** A title is a paragraph of its own, as it is in the product. */
async function writeCollection(folder: string, { numberOf }: Lexicon): Promise<void> {
	const { name, corpus: texts, queries, relevant } = await readCollection(folder, "\n\n");
	const numbers = (text: string): readonly (readonly number[])[] => {
		const paragraphs = text.split(/\n[^\S\n]*\n/).filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
		return (paragraphs.length > 0 ? paragraphs : [text]).map((paragraph) => wordsOf(paragraph).map(numberOf));
	};
	const place = new Map(texts.map(({ id }, i) => [id, i]));
	const grades = (id: string): readonly (readonly number[])[] =>
		[...(relevant.get(id) ?? [])].flatMap(([text, grade]) => (place.has(text) ? [[place.get(text) ?? 0, grade]] : []));
	await Bun.write(
		`${out}/sets/${name}.json`,
		JSON.stringify({
			texts: texts.map(({ text, group }) => ({ group, paragraphs: numbers(text) })),
			queries: queries.map(({ id, text, group }) => ({
				group,
				paragraphs: numbers(text),
				grades: grades(id),
				wanted: [...(relevant.get(id)?.values() ?? [])],
			})),
		}),
	);
}

async function writeTable({ bytes, scales, shape, space }: Model): Promise<void> {
	const table = new Float32Array(bytes.length);
	for (let i = 0; i < bytes.length; i++) table[i] = (bytes[i] ?? 0) * (scales[Math.floor(i / space.dimensions)] ?? 0);
	await Bun.write(`${out}/table.f32`, table);
	await Bun.write(`${out}/table.json`, JSON.stringify({ ...shape, dimensions: space.dimensions }));
}

/** Word `i` of the lexicon is the sum of the rows from `starts[i]` up to `starts[i + 1]`, each times its weight. */
async function writeRows(words: readonly string[], { rowOf, shape }: Model): Promise<void> {
	const starts = new Uint32Array(words.length + 1);
	const rows: number[] = [];
	const weights: number[] = [];
	for (const [i, word] of words.entries()) {
		const row = rowOf(word);
		const features = row === undefined ? spelledFeatures(word, shape) : wordFeatures(row);
		for (const found of features.rows) rows.push(found);
		for (const weight of features.weights) weights.push(weight);
		starts[i + 1] = rows.length;
	}
	await Bun.write(`${out}/words.starts`, starts);
	await Bun.write(`${out}/words.rows`, Uint32Array.from(rows));
	await Bun.write(`${out}/words.weights`, Float32Array.from(weights));
}

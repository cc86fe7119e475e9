/**
 * Writes questions made from training pairs as numbers of words: `bun models/train/rerank/questions.ts --data FOLDER --eval FOLDER…
 * --out FOLDER`. No line that shares something with an evaluation is among them. train_candidates.py finds their candidates.
 */

import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { wordsOf } from "../../../plugins/embedders/static/pool.ts";
import type { Collection } from "../../../server/evaluation/collection.ts";
import { createGrowing } from "../data/growing.ts";
import { collectionsOfPairs } from "./collections-of-pairs.ts";

const wordsMax = 200;
const { values: given } = parseArgs({
	options: { data: { type: "string" }, eval: { type: "string", multiple: true, default: [] }, out: { type: "string" }, only: { type: "string" } },
});
if (given.data === undefined || given.out === undefined || given.eval.length === 0) throw new Error("say --data FOLDER --eval FOLDER --out FOLDER");
for await (const collection of collectionsOfPairs(given.data, given.eval, given.only?.split(",") ?? []))
	await write(collection, `${given.out}/${collection.name}`);

async function write({ documents, questions, relevant }: Collection, folder: string): Promise<void> {
	const numbers = new Map<string, number>();
	const lists = { textWords: createGrowing(), textStarts: createGrowing(), questionWords: createGrowing(), questionStarts: createGrowing() };
	const groups = { textGroups: createGrowing(), questionGroups: createGrowing(), answers: createGrowing(), answerStarts: createGrowing() };
	const groupNumbers = new Map<string | null, number>();
	const numberIn = <Key>(map: Map<Key, number>, key: Key): number => {
		const number = map.get(key) ?? map.size;
		map.set(key, number);
		return number;
	};
	const places = new Map(documents.map(({ id }, i) => [id, i]));
	for (const { text, group } of documents) {
		lists.textStarts.push(lists.textWords.length());
		for (const word of wordsOf(text).slice(0, wordsMax)) lists.textWords.push(numberIn(numbers, word));
		groups.textGroups.push(numberIn(groupNumbers, group));
	}
	for (const { id, text, group } of questions) {
		lists.questionStarts.push(lists.questionWords.length());
		for (const word of wordsOf(text).slice(0, wordsMax)) lists.questionWords.push(numberIn(numbers, word));
		groups.questionGroups.push(numberIn(groupNumbers, group));
		groups.answerStarts.push(groups.answers.length());
		for (const document of relevant.get(id)?.keys() ?? []) groups.answers.push(places.get(document) ?? 0);
	}
	lists.textStarts.push(lists.textWords.length());
	lists.questionStarts.push(lists.questionWords.length());
	groups.answerStarts.push(groups.answers.length());
	await mkdir(folder, { recursive: true });
	for (const [name, values] of Object.entries({ ...lists, ...groups })) await Bun.write(`${folder}/${name}`, values.values());
	await Bun.write(`${folder}/words.json`, JSON.stringify([...numbers.keys()]));
	console.log(`${folder}: ${documents.length} texts, ${questions.length} questions`);
}

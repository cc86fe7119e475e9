/**
 * What the shown relevance is worth: `bun bench/retrieval/relevance.ts --data FOLDER [--embedder NAME] [--plot FILE]`. For
 * each collection in the form of BEIR the scores of four kinds of results: a text asked for with its own beginning, what
 * answers a question, what does not and yet stands among the first ten, and the first ten for questions of another collection.
 */

import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Collection, type Question, wholeText } from "../../server/evaluation/collection.ts";
import { type FilledStore, type Laboratory, openLaboratory } from "../../server/evaluation/laboratory.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";
import { ask, type RankedResult } from "../../server/evaluation/search-question.ts";
import { histograms, type Panel } from "./histograms.ts";

const kinds = ["itself", "answer", "no answer", "strange"] as const;
type Kind = (typeof kinds)[number];
type Scores = Readonly<Record<Kind, number[]>>;

const signal = new AbortController().signal;
const askedMax = 200;
/** A text is asked for with so much of its beginning: a client's question is no longer. */
const ownCharacters = 300;
const ownCharactersMin = 40;

const { values: given } = parseArgs({ options: { data: { type: "string" }, embedder: { type: "string" }, plot: { type: "string" } } });
if (given.data === undefined) {
	console.error("usage: bun bench/retrieval/relevance.ts --data FOLDER [--embedder NAME] [--plot FILE]");
	process.exit(1);
}
const data = given.data;
const names = readdirSync(data).filter((name) => isCollection(join(data, name)));
const collections = await Promise.all(names.sort().map((name) => readCollection(join(data, name))));
await using laboratory = await openLaboratory(given.embedder === undefined ? {} : { use: { embedder: given.embedder } });
const panels: Panel[] = [];
for (const [i, collection] of collections.entries()) {
	const strangers = collections[(i + 1) % collections.length]?.questions ?? [];
	const scores = await scoresOf(collection, strangers, laboratory);
	panels.push({ name: collection.name, series: kinds.map((kind) => ({ name: kind, values: scores[kind] })) });
	console.error(collection.name);
}
panels.push({ name: "all", series: kinds.map((name, i) => ({ name, values: panels.flatMap(({ series }) => series[i]?.values ?? []) })) });
console.log(table(panels));
if (given.plot !== undefined) await writeFile(given.plot, histograms("Relevance of results, share of each kind in each twentieth", panels));

async function scoresOf(collection: Collection, strangers: readonly Question[], { fill, parts }: Laboratory): Promise<Scores> {
	const filled = await fill(collection, signal);
	const scores: Scores = { itself: [], answer: [], "no answer": [], strange: [] };
	const search = (question: Question) => ask(question, "fusion", filled, parts, signal);
	for (const { id, text, group } of sample(collection.documents.map((each) => ({ ...each, text: wholeText(each) })))) {
		if (text.length < ownCharactersMin) continue;
		const found = await search({ id, text: text.slice(0, ownCharacters), group });
		scores.itself.push(found.find((answer) => answer.id === id)?.score ?? 0);
	}
	for (const question of sample(collection.questions)) {
		for (const { id, score } of await search(question)) scores[collection.relevant.get(question.id)?.has(id) === true ? "answer" : "no answer"].push(score);
	}
	for (const [i, question] of sample(strangers).entries()) scores.strange.push(...scoresIn(await search({ ...question, group: groupAt(i, filled) })));
	return scores;
}

function scoresIn(answers: readonly RankedResult[]): readonly number[] {
	return answers.map(({ score }) => score);
}

function groupAt(i: number, { groupDocuments }: FilledStore): string | null {
	const names = [...groupDocuments.keys()];
	return names[i % names.length] ?? null;
}

/** Evenly over the whole, so that it is the same every time. */
function sample<Item>(items: readonly Item[]): readonly Item[] {
	const step = Math.max(1, items.length / askedMax);
	return Array.from({ length: Math.min(items.length, askedMax) }, (_, i) => items[Math.floor(i * step)]).filter((item) => item !== undefined);
}

function table(shown: readonly Panel[]): string {
	const lines = shown.map(({ name, series: [itself, answer, other, strange] }) =>
		[
			name,
			percent(itself?.values, (value) => value > 0.85),
			middle(answer?.values),
			percent(answer?.values, (value) => value >= 0.6),
			middle(other?.values),
			percent(other?.values, (value) => value >= 0.6),
			middle(strange?.values),
			percent(strange?.values, (value) => value < 0.3),
		].join(" | "),
	);
	const head = ["", "itself > 0.85", "answers: median", "≥ 0.6", "others in the first ten: median", "≥ 0.6", "strange questions: median", "< 0.3"];
	return [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...lines.map((line) => `| ${line} |`)].join("\n");
}

function percent(values: readonly number[] = [], holds: (value: number) => boolean): string {
	return values.length === 0 ? "" : `${((100 * values.filter(holds).length) / values.length).toFixed(0)} %`;
}

function middle(values: readonly number[] = []): string {
	return (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(2);
}

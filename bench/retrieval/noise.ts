/**
 * Where noise ends in a search of documents: `bun bench/retrieval/noise.ts --data FOLDER [--half 0|1] [--embedder NAME] [--questions 200]`,
 * collections in the form of BEIR. Each question is asked where it is answered and where the questions of two other collections are; of
 * a collection without groups both as a whole and with so many texts in a row as one document, alone in its container.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStep } from "../../core/language/step.ts";
import { limits } from "../../core/model/limits.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import { searchDocuments } from "../../core/search/search-documents.ts";
import type { Collection, Question } from "../../server/evaluation/collection.ts";
import { type FilledStore, type Laboratory, openLaboratory } from "../../server/evaluation/laboratory.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";

const lines = [0.04, 0.05, 0.06, 0.07, 0.08] as const;
const lotTexts = 80;
const fixed = { limit: 10, chunkThreshold: 0, documentThreshold: 0, onlyMatchingChunks: true, rerank: false, rewriteQuery: false } as const;
const signal = new AbortController().signal;

const { values: given } = parseArgs({
	options: { data: { type: "string" }, half: { type: "string" }, embedder: { type: "string" }, questions: { type: "string", default: "200" } },
});
if (given.data === undefined) {
	console.error("usage: bun bench/retrieval/noise.ts --data FOLDER [--half 0|1] [--embedder NAME] [--questions 200]");
	process.exit(1);
}
const data = given.data;
const names = readdirSync(data).filter((name) => isCollection(join(data, name)));
const collections = await Promise.all(names.sort().map((name) => readCollection(join(data, name))));
await using laboratory = await openLaboratory(given.embedder === undefined ? {} : { use: { embedder: given.embedder } });
console.log(`| answered questions below the line / nothing relevant for strangers | ${lines.join(" | ")} |\n|${"---|".repeat(lines.length + 1)}`);
for (const [i, collection] of collections.entries()) {
	const strangers = [1, 4].flatMap((away) => sample(collections[(i + away) % collections.length]?.questions ?? []));
	for (const form of [collection, ...inLots(collection)]) {
		const { answered, strange } = await scoresOf(form, strangers, laboratory);
		const cells = lines.map((line) => `${share(answered, line)} / ${share(strange, line)}`);
		console.log(`| ${form.name} | ${cells.join(" | ")} |`);
	}
}

/** The best score of each question that has an answer among the first ten, and of each that was asked of others. */
async function scoresOf(collection: Collection, strangers: readonly Question[], { fill, parts }: Laboratory) {
	const asked = sample(collection.questions);
	const isAsked = new Set(asked.map(({ group }) => group));
	const filled = await fill({ ...collection, documents: collection.documents.filter(({ group }) => isAsked.has(group)) }, signal);
	const tenant = parts.storage.organisation(filled.organisation);
	const search = async ({ text, group }: Question) => {
		const scope = group === null ? wholeOrganisation : { ...wholeOrganisation, containerTags: [group] };
		return searchDocuments({ ...fixed, query: text.slice(0, limits.queryCharactersMax), scope }, { ...parts, tenant }, createStep(parts.world, signal));
	};
	const answered: number[] = [];
	for (const question of asked) {
		const found = await search(question);
		const idOf = (document: string, chunk: string) => filled.collectionIds.get(question.group === null ? document : chunk) ?? "";
		const answers = collection.relevant.get(question.id);
		if (found.some(({ document, chunks }) => chunks.some(({ chunk }) => answers?.has(idOf(document.id, chunk.id))))) answered.push(found[0]?.score ?? 0);
	}
	const strange: number[] = [];
	for (const [i, question] of strangers.entries()) strange.push((await search({ ...question, group: groupAt(i, filled) }))[0]?.score ?? 0);
	return { answered, strange };
}

/** Empty for a collection that has groups of its own. */
function inLots(collection: Collection): readonly Collection[] {
	if (collection.questions.some(({ group }) => group !== null)) return [];
	const groupOf = new Map(collection.documents.map(({ id }, i) => [id, `${Math.floor(i / lotTexts)}`]));
	const groupOfQuestion = (id: string) => groupOf.get([...(collection.relevant.get(id)?.keys() ?? [])][0] ?? "") ?? null;
	return [
		{
			...collection,
			name: `${collection.name}, in lots`,
			documents: collection.documents.map((each) => ({ ...each, group: groupOf.get(each.id) ?? null })),
			questions: collection.questions.map((each) => ({ ...each, group: groupOfQuestion(each.id) })),
		},
	];
}

function groupAt(i: number, { groupDocuments }: FilledStore): string | null {
	const groups = [...groupDocuments.keys()];
	return groups[i % groups.length] ?? null;
}

/** Evenly over the whole, then every other one of these if there is `--half`. */
function sample(questions: readonly Question[]): readonly Question[] {
	const most = Math.min(questions.length, Number(given.questions));
	const chosen = Array.from({ length: most }, (_, i) => questions[Math.floor((i * questions.length) / most)]).filter((each) => each !== undefined);
	return given.half === undefined ? chosen : chosen.filter((_, i) => i % 2 === Number(given.half));
}

function share(scores: readonly number[], line: number): string {
	return `${((100 * scores.filter((score) => score < line).length) / Math.max(1, scores.length)).toFixed(1)} %`;
}

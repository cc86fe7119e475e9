/**
 * What fusion finds, for training and measuring a reranker: `bun models/train/rerank/candidates.ts --out FOLDER [--eval FOLDER]…`
 * writes the best fifty of each question of collections in BEIR form; with `--data FOLDER` those of questions made from training pairs,
 * without any line that shares something with the collections. `--table FILE` takes another table for `static`.
 */

import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createStep } from "../../../core/language/step.ts";
import { limits } from "../../../core/model/limits.ts";
import { wholeOrganisation } from "../../../core/model/scope.ts";
import { searchDocuments } from "../../../core/search/search-documents.ts";
import { searchMemories } from "../../../core/search/search-memories.ts";
import type { Collection, Question } from "../../../server/evaluation/collection.ts";
import { type FilledStore, type Laboratory, openLaboratory } from "../../../server/evaluation/laboratory.ts";
import { readCollection } from "../../../server/evaluation/read-collection.ts";
import { createWriter } from "./candidate-files.ts";
import { collectionsOfPairs } from "./collections-of-pairs.ts";

export interface Found {
	readonly id: string;
	readonly text: string;
	readonly score: number;
}

const shown = 50;
const signal = new AbortController().signal;
const { values: given } = parseArgs({
	options: {
		data: { type: "string" },
		eval: { type: "string", multiple: true, default: [] },
		out: { type: "string" },
		table: { type: "string" },
		only: { type: "string" },
	},
});
if (given.out === undefined || given.eval.length === 0) throw new Error("say where the collections are and where to write: --eval FOLDER --out FOLDER");
await mkdir(given.out, { recursive: true });
await using laboratory = await openLaboratory(given.table === undefined ? {} : { plugins: [["embedder-static", { model: given.table }]] });
const only = given.only?.split(",") ?? [];
const collections = given.data === undefined ? readAll(given.eval) : collectionsOfPairs(given.data, given.eval, only);
for await (const collection of collections) await write(collection, given.out);

async function* readAll(folders: readonly string[]): AsyncGenerator<Collection> {
	for (const folder of folders) if (only.length === 0 || only.includes(basename(folder))) yield await readCollection(folder);
}

async function write(collection: Collection, out: string): Promise<void> {
	const began = performance.now();
	const store = await laboratory.fill(collection, signal);
	const filled = performance.now();
	const writer = createWriter(shown);
	for (const question of collection.questions) writer.add(question, await best(question, store, laboratory), collection.relevant.get(question.id) ?? new Map());
	await writer.save(join(out, collection.name));
	const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(0);
	console.log(
		`${collection.name}: ${collection.documents.length} texts in ${seconds(began, filled)} s, ${collection.questions.length} questions in ${seconds(filled, performance.now())} s`,
	);
}

/** The routes' own searches, with the texts they would give a reranker. */
async function best({ text, group }: Question, { organisation, collectionIds }: FilledStore, { parts }: Laboratory): Promise<readonly Found[]> {
	const step = createStep(parts.world, signal);
	const tenant = parts.storage.organisation(organisation);
	const { matchChunks, matchMemories } = tenant.words;
	// A normal search stops waiting when keyword search is slow; here it has to wait.
	const words: typeof tenant.words = {
		matchChunks: (asked, scope, limit) => matchChunks(asked, scope, limit),
		matchMemories: (asked, filter, limit) => matchMemories(asked, filter, limit),
	};
	const search = { ...parts, tenant: { ...tenant, words } };
	const query = text.slice(0, limits.queryCharactersMax);
	if (group === null) {
		const fixed = { chunkThreshold: 0, documentThreshold: 0, onlyMatchingChunks: true, rewriteQuery: false, rerank: false, limit: shown };
		const documents = await searchDocuments({ ...fixed, query, scope: wholeOrganisation }, search, step);
		return documents.flatMap(({ document, score, chunks }) => found(collectionIds.get(document.id), chunks[0]?.chunk.text, score));
	}
	const fixed = { mode: "documents", threshold: 0, includeForgotten: false, includeRelatives: false, includeChunks: false } as const;
	const scope = { ...wholeOrganisation, containerTags: [group] };
	const items = await searchMemories({ ...fixed, query, scope, rewriteQuery: false, rerank: false, limit: shown, now: new Date() }, search, step);
	return items.flatMap((item) => (item.kind === "chunk" ? found(collectionIds.get(item.chunk.id), item.chunk.text, item.score) : []));
}

function found(id: string | undefined, text: string | undefined, score: number): readonly Found[] {
	return id === undefined || text === undefined ? [] : [{ id, text, score }];
}

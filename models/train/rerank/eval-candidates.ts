/**
 * What fusion finds in collections in BEIR form, to measure a reranker on: `bun models/train/rerank/eval-candidates.ts --eval FOLDER…
 * --out FOLDER` writes the best fifty texts of each question as numbers of words. The scores are those before
 * the scale of `/v4/search`, as a reranker's are added to them.
 */

import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { createStep } from "../../../core/language/step.ts";
import { limits } from "../../../core/model/limits.ts";
import { wholeOrganisation } from "../../../core/model/scope.ts";
import { searchDocuments } from "../../../core/search/search-documents.ts";
import { searchMemories } from "../../../core/search/search-memories.ts";
import type { Trace } from "../../../core/search/trace.ts";
import type { Question } from "../../../server/evaluation/collection.ts";
import { type FilledStore, type Laboratory, openLaboratory } from "../../../server/evaluation/laboratory.ts";
import { readCollection } from "../../../server/evaluation/read-collection.ts";
import { createCandidateWriter, type FoundText } from "./candidate-writer.ts";

/** As many as a reranker is shown. */
const shown = 50;
const signal = new AbortController().signal;
const { values: given } = parseArgs({ options: { eval: { type: "string", multiple: true, default: [] }, out: { type: "string" } } });
if (given.out === undefined || given.eval.length === 0) throw new Error("say where the collections are and where to write: --eval FOLDER --out FOLDER");
await using laboratory = await openLaboratory({});
for (const folder of given.eval) await write(folder, given.out);

async function write(folder: string, out: string): Promise<void> {
	const collection = await readCollection(folder);
	const store = await laboratory.fill(collection, signal);
	const writer = createCandidateWriter(shown);
	for (const question of collection.questions) writer.add(question, await best(question, store, laboratory), collection.relevant.get(question.id) ?? new Map());
	await writer.save(join(out, basename(folder)));
	console.log(`${collection.name}: ${collection.documents.length} texts, ${collection.questions.length} questions`);
}

/** The routes' own searches, with the texts that they would show a reranker. */
async function best({ text, group }: Question, { organisation, collectionIds }: FilledStore, { parts }: Laboratory): Promise<readonly FoundText[]> {
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
	const relevances = new Map<string, number>();
	const trace: Trace = {
		queried: () => {},
		scored: () => {},
		unread: () => {},
		retrieved: (candidates) => {
			for (const { hit, score } of candidates) relevances.set(hit.id, score);
		},
	};
	const items = await searchMemories({ ...fixed, query, scope, rewriteQuery: false, rerank: false, limit: shown, now: new Date() }, search, step, trace);
	return items.flatMap((item) =>
		item.kind === "chunk" ? found(collectionIds.get(item.chunk.id), item.chunk.text, relevances.get(item.chunk.id) ?? item.score) : [],
	);
}

function found(id: string | undefined, text: string | undefined, score: number): readonly FoundText[] {
	return id === undefined || text === undefined ? [] : [{ id, text, score }];
}

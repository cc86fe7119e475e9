/**
 * How well words find: `bun bench/word-leg.ts FOLDER [NAME…] [--rewrite] [--questions N]`, a folder of collections in the
 * form of BEIR. The word leg alone, with plain words and as a search asks, with the questions as they are and mistyped; or,
 * with `--rewrite`, the whole search with and without the related words of the rewriters. nDCG@10 / recall@10 in per cent.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStep } from "../core/language/step.ts";
import { limits } from "../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../core/model/scope.ts";
import type { QueryRewriter } from "../core/plugin/contract.ts";
import type { QueryTerm } from "../core/ports/word-search.ts";
import { queryTermsOf } from "../core/ranking/words/query-terms.ts";
import { queryWords } from "../core/ranking/words.ts";
import { type SearchParts, searchDocuments } from "../core/search/search-documents.ts";
import { searchMemories } from "../core/search/search-memories.ts";
import type { Collection, Question } from "../server/evaluation/collection.ts";
import { type FilledStore, type Laboratory, openLaboratory } from "../server/evaluation/laboratory.ts";
import { depth, meanQuality, type Quality, qualityOf } from "../server/evaluation/metrics.ts";
import { isCollection, readCollection } from "../server/evaluation/read-collection.ts";

type Find = (question: Question) => Promise<readonly string[]>;

const legHits = 100;
/** A shorter word is seldom mistyped so. */
const mistypedFrom = 5;

const options = { rewrite: { type: "boolean", default: false }, questions: { type: "string", default: "800" } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [folder, ...names] = positionals;
if (folder === undefined) {
	console.error("usage: bun bench/word-leg.ts FOLDER [NAME…] [--rewrite] [--questions N]");
	process.exit(1);
}

await using laboratory = await openLaboratory({});
const signal = new AbortController().signal;
const known = readdirSync(folder).filter((name) => isCollection(join(folder, name)) && (names.length === 0 || names.includes(name)));
for (const name of known.sort()) {
	const collection = await readCollection(join(folder, name));
	const filled = await laboratory.fill(collection, signal);
	const ways = values.rewrite ? rewritten(filled, laboratory) : spelled(filled, laboratory);
	const cells: string[] = [];
	for (const [way, find] of Object.entries(ways)) cells.push(`${way} ${shown(await judge(collection, find))}`);
	console.log(`${name}: ${cells.join(", ")}`);
}

async function judge({ questions, relevant }: Collection, find: Find): Promise<Quality> {
	const qualities: Quality[] = [];
	for (const question of questions.slice(0, Number(values.questions))) qualities.push(qualityOf(await find(question), relevant.get(question.id) ?? new Map()));
	return meanQuality(qualities);
}

function shown({ ndcg, recall }: Quality): string {
	return `${(100 * ndcg).toFixed(2)} / ${(100 * recall).toFixed(2)}`;
}

function scopeOf({ group }: Question): Scope {
	return group === null ? wholeOrganisation : { ...wholeOrganisation, containerTags: [group] };
}

function spelled({ organisation, collectionIds }: FilledStore, { parts }: Laboratory): Readonly<Record<string, Find>> {
	const { words } = parts.storage.organisation(organisation);
	const by =
		(wordsOf: (text: string) => readonly QueryTerm[]): Find =>
		async (question) => {
			const { hits } = await words.matchChunks(wordsOf(question.text), scopeOf(question), legHits);
			const ids = hits.flatMap(({ id, document }) => collectionIds.get(question.group === null ? document : id) ?? []);
			return [...new Set(ids)].slice(0, depth);
		};
	const plain = (text: string) => queryWords(text, limits.queryWordsMax);
	const asked = (text: string) => queryTermsOf(text, limits.queryWordsMax);
	return {
		plain: by(plain),
		"as a search asks": by(asked),
		"mistyped, plain": by((text) => plain(mistyped(text))),
		"mistyped, as a search asks": by((text) => asked(mistyped(text))),
	};
}

/** Two neighbours in the middle of the longest word swapped. */
function mistyped(text: string): string {
	const word = (text.match(/[A-Za-z]+/g) ?? []).reduce((longest, other) => (other.length > longest.length ? other : longest), "");
	if (word.length < mistypedFrom) return text;
	let at = word.length >> 1;
	while (at < word.length - 2 && word[at] === word[at + 1]) at += 1;
	return text.replace(word, `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
}

function rewritten(filled: FilledStore, { parts }: Laboratory): Readonly<Record<string, Find>> {
	const search = { ...parts, tenant: parts.storage.organisation(filled.organisation) };
	return { plain: by(filled, search, []), rewritten: by(filled, search, parts.queryRewriters) };
}

/** As the search routes do, without thresholds. */
function by({ collectionIds }: FilledStore, parts: SearchParts, queryRewriters: readonly QueryRewriter[]): Find {
	const step = createStep(laboratory.parts.world, signal);
	const search = { ...parts, queryRewriters };
	const shared = { limit: depth, rerank: false, rewriteQuery: true };
	return async (question) => {
		const query = { ...shared, query: question.text.slice(0, limits.queryCharactersMax), scope: scopeOf(question) };
		if (question.group === null) {
			const found = await searchDocuments({ ...query, chunkThreshold: 0, documentThreshold: 0, onlyMatchingChunks: true }, search, step);
			return found.flatMap(({ document }) => collectionIds.get(document.id) ?? []);
		}
		const plain = { mode: "documents", threshold: 0, includeForgotten: false, includeRelatives: false, includeChunks: false, now: new Date() } as const;
		const found = await searchMemories({ ...query, ...plain }, search, step);
		return found.flatMap((item) => (item.kind === "chunk" ? (collectionIds.get(item.chunk.id) ?? []) : []));
	};
}

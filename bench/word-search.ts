/**
 * Full text search over a hundred thousand chunks of a hundred words: the storage's word index, in process and through its
 * thread, against SQLite's FTS5 on the same texts and questions, which is made for this measure alone.
 */

import { Database } from "bun:sqlite";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { searchable } from "../core/indexes/searchable.ts";
import { limits } from "../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../core/model/scope.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { QueryTerm } from "../core/ports/word-search.ts";
import { queryTermsOf } from "../core/ranking/words/query-terms.ts";
import { indexWords, queryWords } from "../core/ranking/words.ts";
import { openBlobs } from "../plugins/blobs/folder/index.ts";
import { openStorage } from "../plugins/stores/sqlite/storage.ts";
import { defaultLimits } from "../plugins/stores/sqlite/vectors/vectors-context.ts";
import { quietHost } from "../test/contract/quiet-host.ts";
import { createSamples, sampleOrganisation, sampleSpace } from "../test/contract/samples.ts";
import { embedTexts } from "../test/contract/storage/ground.ts";
import { anonymousBytes } from "./anonymous-bytes.ts";
import type { Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { judged, type Row, told } from "./row.ts";
import { temporaryFolder } from "./server.ts";
import { shown, type Times, timesOf } from "./times.ts";

const chunks = 100_000;
const chunksPerDocument = 100;
/** One document in so many is in the narrow container. */
const narrowShare = 100;
const wordsPerChunk = 100;
const asked = 500;
const warmUp = 100;
const best = 40;
const timesFasterMin = 5;

export const wordSearch: Measure = async () => {
	await using folder = await temporaryFolder();
	const texts = textsOf(chunks);
	const writer = createWriter(9);
	const asks = Array.from({ length: warmUp + asked }, () => writer.question());
	const questions = asks.map((text) => queryWords(text, limits.queryWordsMax)).filter(({ length }) => length > 0);
	const spelled = asks.map((text) => queryTermsOf(text, limits.queryWordsMax)).filter(({ length }) => length > 0);
	const peer = openPeer(join(folder.path, "peer.sqlite"), texts);
	// No vector index: it would be built for minutes, and is not what is measured.
	const host = quietHost(join(folder.path, "storage"));
	const storage = searchable(openStorage(host, { ...defaultLimits, wholeMax: chunks * 2 }), openBlobs(host.folder, host.world), host.world);
	try {
		await storage.migrate();
		const filled = await timed(() => fill(storage, texts));
		const built = await timed(() => storage.maintain(new AbortController().signal));
		const { words } = storage.organisation(sampleOrganisation);
		const narrow: Scope = { ...wholeOrganisation, containerTags: ["narrow"] };
		Bun.gc(true);
		const before = await anonymousBytes();
		const first = await timed(() => words.matchChunks(questions[0] ?? [], wholeOrganisation, best));
		const all = await timesOfAll(questions, (question) => words.matchChunks(question, wholeOrganisation, best));
		const held = (await anonymousBytes()) - before;
		const full = await timesOfAll(spelled, (question) => words.matchChunks(question, wholeOrganisation, best));
		const some = await timesOfAll(spelled, (question) => words.matchChunks(question, narrow, best));
		const others = await timesOfAll(questions, async (question) => peer.search(question, best));
		return [
			...rows(all, full, some, others),
			told("texts stored through the writer", `${Math.round((chunks / filled) * 1_000)}/s`),
			...cost(built, first, held),
			told("size of its word files", `${Math.round((await sizeOf(join(folder.path, "storage"))) / 2 ** 20)} MB`),
		];
	} finally {
		await storage.close();
		peer.close();
	}
};

function rows(all: Times, full: Times, some: Times, others: Times): readonly Row[] {
	const ratio = others.p50 / all.p50;
	return [
		told(`words among ${chunks.toLocaleString("en")} chunks, best ${best}, through the thread and with what may be seen`, both(all)),
		told("the same with spellings, as a search asks: stems of other languages, grams, words meant otherwise", both(full)),
		told("that in a container with a hundredth of them", both(some)),
		told("FTS5 on the same texts, the same words joined by OR, its own ranking alone", both(others)),
		judged(
			"FTS5 against the word index, ratio of p50, of p99",
			`${ratio.toFixed(1)}×, ${(others.p99 / all.p99).toFixed(1)}×`,
			`≥ ${timesFasterMin}×`,
			ratio >= timesFasterMin,
		),
	];
}

function cost(built: number, first: number, held: number): readonly Row[] {
	return [
		told("word file built in the background after", `${(built / 1_000).toFixed(1)} s`),
		told("first search, which opens it", shown(first)),
		told("memory these searches added, without the mapped file", `${Math.round(held / 2 ** 20)} MB`),
	];
}

function both({ p50, p99 }: Times): string {
	return `p50 ${shown(p50)}, p99 ${shown(p99)}`;
}

async function sizeOf(storage: string): Promise<number> {
	const names = await readdir(join(storage, "words"));
	const sizes = await Promise.all(names.map(async (name) => (await stat(join(storage, "words", name))).size));
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}

async function timesOfAll<Word extends QueryTerm>(
	questions: readonly (readonly Word[])[],
	search: (question: readonly Word[]) => Promise<unknown>,
): Promise<Times> {
	const took: number[] = [];
	for (const [i, question] of questions.entries()) {
		const ms = await timed(() => search(question));
		if (i >= warmUp) took.push(ms);
	}
	return timesOf(took);
}

function textsOf(count: number): readonly string[] {
	const writer = createWriter(8);
	return Array.from({ length: count }, () => writer.note().content.split(" ").slice(0, wordsPerChunk).join(" "));
}

async function fill(storage: Storage, texts: readonly string[]): Promise<void> {
	const tenant = storage.organisation(sampleOrganisation);
	const samples = createSamples(8);
	for (let from = 0; from < texts.length; from += chunksPerDocument) {
		const tag = (from / chunksPerDocument) % narrowShare === 0 ? "narrow" : "wide";
		const document = samples.makeDocument({ containerTags: [tag] });
		await tenant.documents.add(document, samples.makeJob(document));
		await tenant.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, texts.slice(from, from + chunksPerDocument)));
		await tenant.documents.publish(document.id, 1, samples.nextTime());
	}
}

interface Peer {
	readonly search: (words: readonly string[], limit: number) => unknown;
	readonly close: () => void;
}

/** As the storage had it before it kept an index of its own: contentless, with the same words, parted at spaces. */
function openPeer(file: string, texts: readonly string[]): Peer {
	const db = new Database(file, { create: true });
	db.run("PRAGMA journal_mode = WAL");
	db.run("CREATE VIRTUAL TABLE peer USING fts5(words, content = '', contentless_delete = 1, tokenize = 'ascii')");
	const insert = db.prepare("INSERT INTO peer (rowid, words) VALUES (?, ?)");
	db.transaction(() => {
		for (const [i, text] of texts.entries()) insert.run(i + 1, indexWords(text).join(" "));
	})();
	db.run("INSERT INTO peer (peer) VALUES ('optimize')");
	const select = db.prepare("SELECT rowid, rank FROM peer WHERE peer MATCH ? ORDER BY rank LIMIT ?");
	return {
		search: (words, limit) => select.all(words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR "), limit),
		close: () => {
			select.finalize();
			insert.finalize();
			db.close();
		},
	};
}

/**
 * A whole hybrid search over a hundred thousand chunks in process: the query's vector, its nearest chunks, its words, one
 * ranking; each leg alone beside it, and how many of the truly nearest ten the vector leg finds.
 */

import { join } from "node:path";

import { searchable } from "../core/indexes/searchable.ts";
import { limits } from "../core/model/limits.ts";
import { wholeOrganisation } from "../core/model/scope.ts";
import type { Embedder } from "../core/plugin/contract.ts";
import type { Storage } from "../core/ports/storage.ts";
import { embedTexts as embed } from "../core/runtime/embed-texts.ts";
import { queryVariants } from "../core/search/query-variants.ts";
import { retrieveChunks } from "../core/search/retrieve.ts";
import { openBlobs } from "../plugins/blobs/folder/index.ts";
import staticTable from "../plugins/embedders/static/index.ts";
import { openStorage } from "../plugins/stores/sqlite/storage.ts";
import { defaultLimits } from "../plugins/stores/sqlite/vectors/vectors-context.ts";
import { quietHost } from "../test/contract/quiet-host.ts";
import { createSamples, sampleOrganisation } from "../test/contract/samples.ts";
import { partOf } from "../test/contract/start.ts";
import { embedTexts } from "../test/contract/storage/ground.ts";
import { createStep } from "../test/doubles/step.ts";
import type { Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { judged, type Row, told } from "./row.ts";
import { temporaryFolder } from "./server.ts";
import { shown, type Times, timesOf } from "./times.ts";

const chunks = 100_000;
const chunksPerDocument = 100;
const wordsPerChunk = 100;
const asked = 300;
const warmUp = 50;
const depth = 10;
const goalMs = 0.6;
const recallMin = 0.99;

export const hybridSearch: Measure = async () => {
	await using folder = await temporaryFolder();
	const embedder = await partOf(staticTable(), "embedder");
	const host = quietHost(join(folder.path, "storage"));
	const storage = searchable(openStorage(host, defaultLimits), openBlobs(host.folder, host.world), host.world);
	try {
		await storage.migrate();
		await fill(storage, embedder);
		// Once for the words and once for the vectors: each run makes what is due.
		for (let i = 0; i < 2; i++) await storage.maintain(new AbortController().signal);
		return await measure(storage, embedder);
	} finally {
		await storage.close();
	}
};

async function measure(storage: Storage, embedder: Embedder): Promise<readonly Row[]> {
	const tenant = storage.organisation(sampleOrganisation);
	const index = tenant.vectors(embedder.space);
	const writer = createWriter(9);
	const questions = Array.from({ length: warmUp + asked }, () => writer.question());
	const variants = await Promise.all(questions.map((question) => queryVariants(question, [], embedder, createStep())));
	const firsts = variants.flatMap(([first]) => (first === undefined || first.vector === null ? [] : [{ words: first.words, vector: first.vector }]));
	const found = await timesOfAll(variants, (each) => retrieveChunks(each, wholeOrganisation, limits.candidatesMin, tenant, embedder.space));
	const rows = [
		hybridRow(
			await timesOfAll(questions, async (question) => {
				const each = await queryVariants(question, [], embedder, createStep());
				await retrieveChunks(each, wholeOrganisation, limits.candidatesMin, tenant, embedder.space);
			}),
		),
		told("the same with its phrasing ready", both(found)),
		told("the vector leg alone", both(await timesOfAll(firsts, ({ vector }) => index.nearestChunks(vector, wholeOrganisation, limits.candidatesMin)))),
		told("the word leg alone", both(await timesOfAll(firsts, ({ words }) => tenant.words.matchChunks(words, wholeOrganisation, limits.candidatesMin)))),
	];
	const recall = await recallOf(
		firsts.slice(0, 100).map(({ vector }) => vector),
		index,
	);
	return [...rows, judged(`of the truly nearest ${depth}, those the vector leg finds`, recall.toFixed(4), `≥ ${recallMin}`, recall >= recallMin)];
}

function hybridRow(times: Times): Row {
	const measure = `hybrid search in process, ${chunks.toLocaleString("en")} chunks, best ${limits.candidatesMin}`;
	return judged(measure, both(times), `p50 < ${goalMs} ms`, times.p50 < goalMs);
}

function both({ p50, p99 }: Times): string {
	return `p50 ${p50.toFixed(2)} ms, p99 ${shown(p99)}`;
}

/** An answer of everything there is cannot be made without comparing everything. */
async function recallOf(
	vectors: readonly Float32Array[],
	index: {
		readonly nearestChunks: (
			vector: Float32Array,
			scope: typeof wholeOrganisation,
			limit: number,
		) => Promise<readonly { readonly id: string; readonly score: number }[]>;
	},
): Promise<number> {
	let hits = 0;
	for (const vector of vectors) {
		// Asked for as a search asks, whose best ten they are.
		const nearest = (await index.nearestChunks(vector, wholeOrganisation, limits.candidatesMin)).slice(0, depth).map(({ score }) => score);
		const all = (await index.nearestChunks(vector, wholeOrganisation, chunks)).map(({ score }) => score);
		// Texts may be equally near: a hit is whatever is as near as the tenth.
		const least = (all[depth - 1] ?? 0) - 1e-5;
		hits += nearest.filter((score) => score >= least).length;
	}
	return hits / (vectors.length * depth);
}

async function timesOfAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<Times> {
	const took: number[] = [];
	for (const [i, item] of items.entries()) {
		const began = performance.now();
		await work(item);
		if (i >= warmUp) took.push(performance.now() - began);
	}
	return timesOf(took);
}

async function fill(storage: Storage, embedder: Embedder): Promise<void> {
	const tenant = storage.organisation(sampleOrganisation);
	const samples = createSamples(8);
	const writer = createWriter(8);
	for (let from = 0; from < chunks; from += chunksPerDocument) {
		const document = samples.makeDocument();
		const texts = Array.from({ length: chunksPerDocument }, () => writer.note().content.split(" ").slice(0, wordsPerChunk).join(" "));
		const vectors = await embed(texts, embedder, "document", createStep());
		const embedded = embedTexts(samples, document, texts).map((each, i) => ({ ...each, vector: vectors[i] ?? each.vector }));
		await tenant.documents.add(document, samples.makeJob(document));
		await tenant.documents.stage(document.id, 1, embedder.space, embedded);
		await tenant.documents.publish(document.id, 1, samples.nextTime());
	}
}

/** A filter means the same everywhere: what `matches` says, on hundreds of random cases. */

import type { Chunk, Memory } from "cairn-memory";
import { type Document, documentStatuses, type Filter, type Metadata, matches, type Scope, wholeOrganisation } from "cairn-memory/stores";
import type { ContractTest } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { evidenceIn } from "../samples.ts";
import {
	addPublished,
	chunksByVector,
	chunksByWords,
	everything,
	type Ground,
	memoriesByVector,
	memoriesByWords,
	memoriesIn,
	type OpenStorage,
	plenty,
	saveExtracted,
	saveMemory,
	storageTest,
} from "./ground.ts";
import { filterKeys, randomFilter, randomMetadata } from "./random-filters.ts";

const casesTried = 500;
const documentsTried = 24;

export function filterContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `filters: ${name}`, holds);
	return [
		contractTest(`${casesTried} random filters choose chunks by words as matches() does`, chunksWorded),
		contractTest(`${casesTried} random filters choose chunks by vector as matches() does`, chunksNear),
		contractTest(`${casesTried} random filters list documents as matches() does`, documentsListed),
		contractTest(
			`${casesTried} random filters choose memories, by words, by vector and in lists, as matches() does, missing keys taken from their documents`,
			memoriesChosen,
		),
		contractTest("a key that a memory lacks may be fulfilled by any of its documents", anySource),
		contractTest("values that look like a database's own words are values", hostileValues),
	];
}

interface Filed {
	readonly id: string;
	readonly metadata: Metadata;
}

interface Stock {
	readonly documents: readonly Document[];
	readonly chunks: readonly (Chunk & Filed)[];
}

async function stockUp(ground: Ground): Promise<Stock> {
	const documents: Document[] = [];
	const chunks: (Chunk & Filed)[] = [];
	for (let i = 0; i < documentsTried; i++) {
		const metadata = randomMetadata(ground.samples, 0.5);
		const published = await addPublished(ground, ["canary"], { metadata });
		documents.push(published.document);
		chunks.push(...published.chunks.map((chunk) => ({ ...chunk, metadata })));
	}
	return { documents, chunks };
}

/** Compares what the storage finds with what `matches` says, filter by filter. */
async function agree(ground: Ground, filed: readonly Filed[], cases: number, find: (scope: Scope) => Promise<readonly string[]>): Promise<void> {
	for (let i = 0; i < cases; i++) {
		const filter = randomFilter(ground.samples);
		const wanted = filed.filter(({ metadata }) => matches(filter, metadata)).map(({ id }) => id);
		const found = await find({ ...wholeOrganisation, filter });
		demandEqual(found.toSorted(), wanted.toSorted(), `what ${JSON.stringify(filter)} chooses`);
	}
}

async function chunksWorded(ground: Ground): Promise<void> {
	const { chunks } = await stockUp(ground);
	await agree(ground, chunks, casesTried, (scope) => chunksByWords(ground.tenant, "canary", scope));
}

async function chunksNear(ground: Ground): Promise<void> {
	const { chunks } = await stockUp(ground);
	await agree(ground, chunks, casesTried, (scope) => chunksByVector(ground, scope));
}

async function documentsListed(ground: Ground): Promise<void> {
	const { documents } = await stockUp(ground);
	const page = { offset: 0, limit: plenty, sort: "createdAt", order: "desc" } as const;
	await agree(ground, documents, casesTried, async (scope) =>
		(await ground.tenant.documents.list(scope, documentStatuses, page, false)).documents.map(({ id }) => id),
	);
}

/** A memory of a client has its own metadata only; a drawn one has none, some or all of the keys itself. */
async function memoriesChosen(ground: Ground): Promise<void> {
	const { samples } = ground;
	const { chunks } = await stockUp(ground);
	const filed: Filed[] = [];
	for (const [i, chunk] of chunks.entries()) {
		const metadata = randomMetadata(samples, [0, 0.4, 1][i % 3] ?? 0);
		const { id } = await saveExtracted(ground, chunk, { metadata, text: "canary" });
		filed.push({ id, metadata: { ...chunk.metadata, ...metadata } });
		const own = randomMetadata(samples, 0.5);
		filed.push({ id: (await saveMemory(ground, { metadata: own, text: "canary" })).id, metadata: own });
	}
	const memoryFilter = (scope: Scope) => ({ ...everything, scope });
	const ways: readonly ((scope: Scope) => Promise<readonly string[]>)[] = [
		(scope) => memoriesByWords(ground.tenant, "canary", memoryFilter(scope)),
		(scope) => memoriesByVector(ground, memoryFilter(scope)),
		async (scope) => (await memoriesIn(ground.tenant, scope, false, plenty)).map(({ id }) => id),
	];
	for (const way of ways) await agree(ground, filed, Math.ceil(casesTried / ways.length), way);
}

async function anySource(ground: Ground): Promise<void> {
	const [red, blue] = [
		await addPublished(ground, ["one"], { metadata: { colour: "red" } }),
		await addPublished(ground, ["two"], { metadata: { colour: "blue" } }),
	];
	const chunks = [...red.chunks, ...blue.chunks];
	const [first] = chunks;
	if (first === undefined) return;
	const shared = await saveExtracted(ground, first, { evidence: chunks.map(evidenceIn) });
	const own = await saveExtracted(ground, first, { metadata: { colour: "green" } });
	const colour = (value: string): Filter => ({ kind: "equals", key: "colour", value, negate: false, ignoreCase: false });
	const find = async (filter: Filter) => (await memoriesIn(ground.tenant, { ...wholeOrganisation, filter }, true, plenty)).map(({ id }) => id);
	const cases: readonly (readonly [string, readonly Memory[]])[] = [
		["red", [shared]],
		["blue", [shared]],
		["green", [own]],
	];
	for (const [value, wanted] of cases)
		demandEqual(
			await find(colour(value)),
			wanted.map(({ id }) => id),
			`the memories that are ${value}`,
		);
}

const hostile = ["' OR 1=1 --", '"; DROP TABLE documents; --', "$.a", "[*]", "{}", "?", "?1", ":name", "%", "_", "\\", "*", "NULL", "0"];

async function hostileValues(ground: Ground): Promise<void> {
	const stock = new Map<string, string>();
	for (const value of hostile) {
		const { chunks } = await addPublished(ground, ["canary"], { metadata: { [filterKeys[0]]: value }, containerTags: [value], filepath: `/${value}` });
		stock.set(value, chunks[0]?.id ?? "");
	}
	for (const value of hostile) {
		for (const kind of ["equals", "contains-element"] as const) {
			const filter = { kind, key: filterKeys[0], value, negate: false, ignoreCase: true };
			demandEqual(await chunksByWords(ground.tenant, "canary", { ...wholeOrganisation, filter }), [stock.get(value)], `what ${kind} ${value} chooses`);
		}
		demandEqual(
			await chunksByWords(ground.tenant, "canary", { ...wholeOrganisation, containerTags: [value] }),
			[stock.get(value)],
			`what the tag ${value} chooses`,
		);
		demandEqual(
			await chunksByWords(ground.tenant, "canary", { ...wholeOrganisation, filepath: `/${value}` }),
			[stock.get(value)],
			`what the path /${value} chooses`,
		);
	}
	const { id } = ground.samples.makeDocument();
	const strange = { kind: "equals", key: "x') OR 1=1 --", value: "", negate: false, ignoreCase: false } as const;
	demandEqual(await chunksByVector(ground, { ...wholeOrganisation, filter: strange }), [], "what a hostile key chooses");
	demandEqual(await chunksByVector(ground, { ...wholeOrganisation, document: id }), [], "what an unknown document chooses");
}

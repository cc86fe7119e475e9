/** What a space store promises: nothing lacks in a space it has switched to, and whatever lacks is told. */

import type { EmbeddingSpace } from "cairn-memory";
import { cosine } from "cairn-memory";
import type { LackingText, MadeVector, Storage, TextPlace } from "cairn-memory/stores";
import { wholeOrganisation } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleOrganisation, sampleSpace } from "../samples.ts";
import {
	addDocument,
	addPublished,
	embedTexts,
	everything,
	type Ground,
	later,
	type OpenStorage,
	otherOrganisation,
	plenty,
	saveMemory,
	storageTest,
} from "./ground.ts";

const other: EmbeddingSpace = { ...sampleSpace, name: "other-1", dimensions: 4 };
const start: TextPlace = { chunk: 0, memory: 0 };

export function embeddingSpaceStoreContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `spaces: ${name}`, holds);
	return [
		contractTest("nothing is planned in the beginning, and what is planned is told", plans),
		contractTest("every text that lacks a vector is told once, page by page, of all organisations", lacking),
		contractTest("a filled text is found in its space and lacks there no more; what it has stays", filling),
		contractTest("two organisations may have vectors of different dimensions in a space of one name", dimensions),
		contractTest("what is gone, or has a vector, is not filled", passing),
		contractTest("the switch waits until nothing lacks, or no more than is allowed", switching),
		contractTest("a text that is staged after the place was reached keeps the switch from happening", late),
		contractTest("progress is noted for the next space only", progress),
		contractTest("a dropped space has no vectors; the active and the next one cannot be dropped", dropping),
		contractTest("the plan outlives the storage", outliving),
	];
}

async function plans({ storage: { spaces } }: Ground): Promise<void> {
	const { active, previous, next } = await spaces.state();
	demandEqual({ active, previous, next }, { active: null, previous: null, next: null }, "the plan of an empty storage");
	await spaces.plan("a", null);
	await spaces.plan("a", "b");
	demandEqual(await planOf(spaces), ["a", null, "b"], "the plan");
	await spaces.plan("c", null);
	demandEqual(await planOf(spaces), ["c", "a", null], "the plan after another one became active");
}

async function lacking(ground: Ground): Promise<void> {
	const { storage, tenant, others, samples } = ground;
	await addPublished(ground, ["one", "two", "three"]);
	await addPublished({ tenant: others, samples }, ["four"], { organisation: otherOrganisation });
	const memory = await saveMemory(ground, { indexedText: "Ada: a statement" });
	const staged = await addDocument(ground);
	await tenant.documents.stage(staged.id, 1, sampleSpace, embedTexts(samples, staged, ["five"]));
	const told = await allLacking(storage, other.name, 2);
	demandEqual(told.map(({ text }) => text).toSorted(), ["one", "two", "three", "four", "five", "Ada: a statement"].toSorted(), "the texts that lack a vector");
	demandEqual(
		told.filter(({ organisation }) => organisation === otherOrganisation).map(({ text }) => text),
		["four"],
		"those of another organisation",
	);
	demandEqual(
		told.filter(({ kind }) => kind === "memory").map(({ id }) => id),
		[memory.id],
		"the memories among them",
	);
	demandEqual(await allLacking(storage, sampleSpace.name, plenty), [], "what lacks in the space they came with");
}

async function filling(ground: Ground): Promise<void> {
	const { storage, tenant } = ground;
	const { chunks } = await addPublished(ground, ["one", "two"]);
	const memory = await saveMemory(ground);
	const made = madeFor(await allLacking(storage, other.name, plenty));
	await storage.spaces.backfill(other, made);
	demandEqual(await allLacking(storage, other.name, plenty), [], "what lacks when all is filled");
	const [hit] = await tenant.vectors(other).nearestChunks(vectorFor(made, chunks[1]?.id), wholeOrganisation, 1);
	demandEqual(hit?.id, chunks[1]?.id, "the nearest in the new space");
	demandEqual(
		(await tenant.vectors(other).nearestMemories(vectorFor(made, memory.id), everything, plenty)).map(({ id }) => id),
		[memory.id],
		"the memories in the new space",
	);
	demandEqual((await tenant.vectors(sampleSpace).chunkVectors(chunks.map(({ id }) => id))).size, 2, "the vectors of the space they came with");
	demandEqual(await storage.spaces.names(), [other.name, sampleSpace.name].toSorted(), "the spaces");
	demandEqual(await storage.spaces.dimensionsOf(other.name, sampleOrganisation), other.dimensions, "the dimensions of its vectors");
	demandEqual(await storage.spaces.dimensionsOf(sampleSpace.name, sampleOrganisation), sampleSpace.dimensions, "the dimensions of the others");
	demandEqual(await storage.spaces.dimensionsOf("stranger", sampleOrganisation), null, "the dimensions of a space without vectors");
	demandEqual(await storage.spaces.organisations(other.name, plenty), [sampleOrganisation], "who has vectors in it");
}

async function dimensions(ground: Ground): Promise<void> {
	const { storage, tenant, others, samples } = ground;
	const theirs: EmbeddingSpace = { ...other, dimensions: 6 };
	await addPublished(ground, ["one"]);
	await saveMemory({ tenant: others, samples });
	const lacking = await allLacking(storage, other.name, plenty);
	const isTheirs = ({ organisation }: LackingText) => organisation === otherOrganisation;
	await storage.spaces.backfill(other, madeFor(lacking.filter((text) => !isTheirs(text))));
	await storage.spaces.backfill(theirs, madeFor(lacking.filter(isTheirs), theirs));
	for (const [organisation, space] of [[sampleOrganisation, other] as const, [otherOrganisation, theirs] as const])
		demandEqual(await storage.spaces.dimensionsOf(other.name, organisation), space.dimensions, `the dimensions of ${organisation}`);
	demandEqual((await tenant.vectors(other).nearestChunks(samples.makeVector(other.dimensions), wholeOrganisation, plenty)).length, 1, "what one finds");
	demandEqual((await others.vectors(theirs).nearestMemories(samples.makeVector(theirs.dimensions), everything, plenty)).length, 1, "what the other finds");
}

async function passing(ground: Ground): Promise<void> {
	const { storage, tenant } = ground;
	const { document, chunks } = await addPublished(ground, ["one"]);
	const [gone, kept] = [document, await addPublished(ground, ["two"])];
	const made = madeFor(await allLacking(storage, other.name, plenty));
	await tenant.documents.remove(gone.id, later);
	await storage.spaces.backfill(other, made);
	const again = made.map((each) => ({ ...each, vector: Float32Array.of(0, 0, 0, 1) }));
	await storage.spaces.backfill(other, again);
	const id = kept.chunks[0]?.id;
	demand(id !== undefined && chunks.length === 1, "there is no chunk");
	const stored = (await tenant.vectors(other).chunkVectors([id])).get(id);
	demand(stored !== undefined && cosine(stored, vectorFor(made, id)) > 0.999, "a vector was written over");
	demandEqual(
		(await tenant.vectors(other).nearestChunks(Float32Array.of(1, 0, 0, 0), wholeOrganisation, plenty)).map((hit) => hit.id),
		[id],
		"what is in the space",
	);
}

async function switching(ground: Ground): Promise<void> {
	const { spaces } = ground.storage;
	await addPublished(ground, ["one", "two"]);
	await spaces.plan(sampleSpace.name, other.name);
	demandEqual([await spaces.switchTo(other.name, 0), await spaces.switchTo(other.name, 1)], [false, false], "a switch while two lack");
	demandEqual(await spaces.switchTo("stranger", plenty), false, "a switch to a space that is not next");
	const [first, ...rest] = madeFor(await allLacking(ground.storage, other.name, plenty));
	if (first !== undefined) await spaces.backfill(other, [first]);
	demandEqual([await spaces.switchTo(other.name, 0), await planOf(spaces)], [false, [sampleSpace.name, null, other.name]], "a switch while one lacks");
	await spaces.backfill(other, rest);
	demandEqual([await spaces.switchTo(other.name, 0), await planOf(spaces)], [true, [other.name, sampleSpace.name, null]], "the switch");
	await addPublished(ground, ["three"]);
	await spaces.plan(other.name, sampleSpace.name);
	demandEqual(
		[await spaces.switchTo(sampleSpace.name, 0), await planOf(spaces)],
		[true, [sampleSpace.name, other.name, null]],
		"the switch back, where all are there",
	);
	await spaces.plan(sampleSpace.name, other.name);
	demandEqual([await spaces.switchTo(other.name, 0), await spaces.switchTo(other.name, 1)], [false, true], "a switch that allows for one");
}

async function late(ground: Ground): Promise<void> {
	const { storage, tenant, samples } = ground;
	const { spaces } = storage;
	await addPublished(ground, ["one"]);
	await spaces.plan(sampleSpace.name, other.name);
	const found = await spaces.lacking(other.name, start, plenty);
	await spaces.backfill(other, madeFor(found.texts));
	await spaces.advance(other.name, { ...found, written: 1 });
	const document = await addDocument(ground);
	await tenant.documents.stage(document.id, 1, sampleSpace, embedTexts(samples, document, ["two"]));
	demandEqual(await spaces.switchTo(other.name, 0), false, "a switch while a staged text lacks");
	const more = await spaces.lacking(other.name, found.reached, plenty);
	demandEqual(
		more.texts.map(({ text }) => text),
		["two"],
		"what lacks after the place",
	);
	await spaces.backfill(other, madeFor(more.texts));
	demandEqual(await spaces.switchTo(other.name, 0), true, "the switch");
}

async function progress({ storage: { spaces } }: Ground): Promise<void> {
	const done = { reached: { chunk: 7, memory: 3 }, written: 9, share: 0.5, isAtEnd: true };
	await spaces.plan("a", "b");
	await spaces.advance("c", done);
	demandEqual((await spaces.state()).written, 0, "the progress of another space");
	await spaces.advance("b", done);
	await spaces.plan("a", "b");
	demandEqual(await spaces.state(), { active: "a", previous: null, next: "b", ...done }, "the progress after the same plan");
	await spaces.plan("a", "c");
	const { reached, written, isAtEnd } = await spaces.state();
	demandEqual({ reached, written, isAtEnd }, { reached: start, written: 0, isAtEnd: false }, "the progress of another plan");
}

async function dropping(ground: Ground): Promise<void> {
	const { storage, tenant } = ground;
	const { chunks } = await addPublished(ground, ["one", "two", "three"]);
	await saveMemory(ground);
	await storage.spaces.backfill(other, madeFor(await allLacking(storage, other.name, plenty)));
	await storage.spaces.plan(other.name, sampleSpace.name);
	demandEqual(
		[await storage.spaces.drop(other.name, plenty), await storage.spaces.drop(sampleSpace.name, plenty)],
		[0, 0],
		"what was dropped of spaces in use",
	);
	await storage.spaces.plan(other.name, null);
	let dropped = 0;
	for (let last = -1; last !== 0; dropped += last) last = await storage.spaces.drop(sampleSpace.name, 2);
	demandEqual([dropped, await storage.spaces.names()], [4, [other.name]], "what was dropped, and what is left");
	demandEqual((await tenant.vectors(sampleSpace).chunkVectors(chunks.map(({ id }) => id))).size, 0, "the vectors of a dropped space");
	demandEqual((await tenant.vectors(other).chunkVectors(chunks.map(({ id }) => id))).size, 3, "the vectors of the other one");
}

async function outliving({ storage, reopen }: Ground): Promise<void> {
	if (reopen === undefined) return;
	await storage.spaces.plan("a", "b");
	await storage.close();
	const again = await reopen();
	await again.migrate();
	demandEqual(await planOf(again.spaces), ["a", null, "b"], "the plan after the storage was opened anew");
}

async function planOf(spaces: Storage["spaces"]) {
	const { active, previous, next } = await spaces.state();
	return [active, previous, next];
}

/** A directions for each text. */
function madeFor(texts: readonly LackingText[], { dimensions }: Pick<EmbeddingSpace, "dimensions"> = other): readonly MadeVector[] {
	return texts.map(({ kind, organisation, id }, i) => {
		const vector = Float32Array.from({ length: dimensions }, (_, at) => (at === 1 ? i : at === 2 ? i * i : 1));
		return { kind, organisation, id, vector: vector.map((value) => value / Math.hypot(...vector)) };
	});
}

function vectorFor(made: readonly MadeVector[], id: string | undefined) {
	return made.find((each) => each.id === id)?.vector ?? Float32Array.of(1, 0, 0, 0);
}

async function allLacking(storage: Storage, space: string, limit: number): Promise<readonly LackingText[]> {
	const told: LackingText[] = [];
	const made: MadeVector[] = [];
	for (let after = start; ; ) {
		const { texts, reached, isAtEnd } = await storage.spaces.lacking(space, after, limit);
		told.push(...texts);
		made.push(...madeFor(texts));
		if (isAtEnd) return told;
		// A storage may tell the same again for as long as it lacks: so it is filled in a space of the contract test's own.
		if (texts.length === limit && limit !== plenty) await storage.spaces.backfill({ ...other, name: space }, made);
		after = reached;
	}
}

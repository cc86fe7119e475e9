/** A key with grants against a model: over random worlds it sees all that is inside, nothing that is outside, and changes only its own. */

import { describe, expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import { documentStatuses, type Grants, type MemoryEdge, type Page, type Scope, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import fc from "fast-check";
import { authorize } from "../../../core/access/authorize.ts";
import { sampleOrganisation, sampleSpace } from "../../contract/samples.ts";
import { later } from "../../contract/storage/ground.ts";
import { containers, makeWorld, type Plan, plans, type RandomWorld } from "./random-world.ts";

const runs = { seed: 42, numRuns: 120 };
const page: Page = { offset: 0, limit: 1_000, sort: "createdAt", order: "asc" };

function bound(world: RandomWorld, grants: Grants): TenantStore {
	const role = grants.some(({ permission }) => permission === "write") ? "write" : "read";
	return authorize(world.storage, { organisation: sampleOrganisation, role, grants });
}

/** What the key may see and change, told from the plan alone. */
function model({ documents, chunks, memories }: RandomWorld, grants: Grants) {
	const readable = grants.map(({ containerTag }) => containerTag);
	const writable = grants.filter(({ permission }) => permission === "write").map(({ containerTag }) => containerTag);
	const isSeen = (tags: readonly string[]) => tags.some((tag) => readable.includes(tag));
	const seenDocuments = documents.filter(({ containerTags }) => isSeen(containerTags));
	const seenChunks = chunks.filter(({ document }) => seenDocuments.some(({ id }) => id === document));
	const seenMemories = memories.filter(({ containerTag }) => readable.includes(containerTag));
	const own = (tags: readonly string[]) => tags.every((tag) => writable.includes(tag));
	const unseen = <T extends { readonly id: string }>(all: readonly T[], seen: readonly T[]) => all.filter((each) => !seen.includes(each));
	const hidden = [
		...containers.filter((tag) => !readable.includes(tag)),
		...unseen(documents, seenDocuments).flatMap(({ id, customId }) => [id, customId ?? id]),
		...unseen(chunks, seenChunks).map(({ id }) => id),
		...unseen(memories, seenMemories).map(({ id }) => id),
	];
	return { readable, seenDocuments, seenChunks, seenMemories, own, hidden };
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).toSorted();

/** All that can be asked without naming a container, about everything there is. */
async function askEverything(tenant: TenantStore, { documents, chunks, memories, samples }: RandomWorld, scope: Scope) {
	const [documentIds, chunkIds, memoryIds] = [documents.map(({ id }) => id), chunks.map(({ id }) => id), memories.map(({ id }) => id)];
	const grants = { scope, includeForgotten: true, now: later };
	const vectors = tenant.vectors(sampleSpace);
	return {
		get: (await Promise.all(documentIds.map((id) => tenant.documents.get(id)))).filter((found) => found !== null),
		getMany: await tenant.documents.getMany(documentIds),
		texts: (await Promise.all(documents.map(async ({ id, revision }) => ({ id, pieces: await Array.fromAsync(tenant.documents.text(id, revision)) })))).filter(
			({ pieces }) => pieces.length > 0,
		),
		byCustomId: (await Promise.all(documents.map(({ customId }) => tenant.documents.byCustomId(customId ?? "", [], 10)))).flat(),
		tagsOf: [...(await tenant.documents.tagsOf(documentIds))],
		list: await tenant.documents.list(scope, documentStatuses, page, true),
		tally: [...(await tenant.documents.tally(scope, ["containerTag"])).containerTag],
		chunks: await tenant.documents.chunks(chunkIds),
		chunksOf: (await Promise.all(documentIds.map((id) => tenant.documents.chunksOf(id)))).flat(),
		chunksAt: await tenant.documents.chunksAt(new Map(documentIds.map((id) => [id, [0, 1]]))),
		dreaming: (await Promise.all(containers.map((tag) => tenant.documents.dreaming(tag, 100)))).flat(),
		memories: await tenant.memories.get(memoryIds),
		subjects: [...(await tenant.memories.subjects(memoryIds))].map(([id]) => ({ id })),
		byText: (await Promise.all(memories.map(({ containerTag, text }) => tenant.memories.byText(containerTag, text)))).filter((found) => found !== null),
		edges: await tenant.memories.edges(memoryIds),
		listed: await tenant.memories.list(scope, false, page),
		count: await tenant.memories.count(grants),
		ofDocument: (await Promise.all(documentIds.map((id) => tenant.memories.ofDocument(id)))).flat(),
		ofDocuments: await tenant.memories.ofDocuments(documentIds),
		wordChunks: (await tenant.words.matchChunks(["harbour"], scope, 1_000)).hits,
		wordMemories: (await tenant.words.matchMemories(["harbour"], grants, 1_000)).hits,
		wordChunksWithin: (await tenant.words.matchChunks(["harbour"], scope, 1_000, 60_000)).hits,
		wordMemoriesWithin: (await tenant.words.matchMemories(["harbour"], grants, 1_000, 60_000)).hits,
		nearChunks: await vectors.nearestChunks(samples.makeVector(), scope, 1_000),
		nearMemories: await vectors.nearestMemories(samples.makeVector(), grants, 1_000),
		chunkCosines: [...(await vectors.chunkCosines(samples.makeVector(), chunkIds)).keys()],
		chunkVectors: [...(await vectors.chunkVectors(chunkIds)).keys()],
		memoryVectors: [...(await vectors.memoryVectors(memoryIds)).keys()],
		containers: await tenant.containers.list(),
		events: await tenant.events.after(0, null, 1_000),
		records: await tenant.records.list("settings", null, 100, later),
	};
}

function nameOf({ from, to, relation }: MemoryEdge): string {
	return `${from} ${relation} ${to}`;
}

async function refusal(act: () => Promise<unknown>): Promise<string> {
	try {
		await act();
		return "done";
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown.code;
		throw thrown;
	}
}

/** Ends only what hangs. */
const patienceMs = 120_000;

describe("a key with a reach", () => {
	test(
		"sees exactly what lies in its containers, whatever is asked",
		async () => {
			await fc.assert(
				fc.asyncProperty(plans, async (plan: Plan) => {
					const world = await makeWorld(plan);
					await world.tenant.records.put("settings", "x", "secret", { expected: null, expiresAt: null, now: later });
					const { seenDocuments, seenChunks, seenMemories, hidden, readable } = model(world, plan.grants);
					const answers = await askEverything(bound(world, plan.grants), world, wholeOrganisation);
					const [documents, chunks, memories] = [idsOf(seenDocuments), idsOf(seenChunks), idsOf(seenMemories)];
					for (const found of [answers.get, answers.getMany, answers.texts, answers.byCustomId, answers.list.documents])
						expect(idsOf(found)).toEqual(documents);
					const chunksSeen = [answers.chunks, answers.chunksOf, answers.chunksAt, answers.wordChunks, answers.wordChunksWithin, answers.nearChunks];
					const memoriesSeen = [
						answers.memories,
						answers.subjects,
						answers.listed.memories,
						answers.wordMemories,
						answers.wordMemoriesWithin,
						answers.nearMemories,
					];
					for (const found of chunksSeen) expect(idsOf(found)).toEqual(chunks);
					for (const found of memoriesSeen) expect(idsOf(found)).toEqual(memories);
					expect([answers.list.total, answers.listed.total, answers.count]).toEqual([documents.length, memories.length, memories.length]);
					expect([answers.chunkCosines.length, answers.chunkVectors.length, answers.memoryVectors.length, answers.records.length]).toEqual([
						chunks.length,
						chunks.length,
						memories.length,
						0,
					]);
					const isSeen = (id: string) => memories.includes(id as (typeof memories)[number]);
					const shown = world.edges.filter(({ from, to }) => isSeen(from) && isSeen(to));
					expect(answers.edges.map(nameOf).toSorted()).toEqual(shown.map(nameOf).toSorted());
					for (const { containerTags } of answers.events)
						expect([containerTags.length > 0, containerTags.every((tag) => readable.includes(tag))]).toEqual([true, true]);
					const said = JSON.stringify(answers);
					expect(hidden.filter((word) => said.includes(word))).toEqual([]);
				}),
				runs,
			);
		},
		patienceMs,
	);

	test(
		"asks about containers of its own, or is refused",
		async () => {
			await fc.assert(
				fc.asyncProperty(plans, fc.uniqueArray(fc.constantFrom(...containers), { minLength: 1 }), async (plan, named) => {
					const world = await makeWorld(plan);
					const { readable, seenDocuments } = model(world, plan.grants);
					const tenant = bound(world, plan.grants);
					const scope: Scope = { ...wholeOrganisation, containerTags: named, tagsMatch: "any" };
					const isAllowed = named.every((tag) => readable.includes(tag));
					const expected = isAllowed ? "done" : "CONTAINER_FORBIDDEN";
					const grants = { scope, includeForgotten: true, now: later };
					const index = tenant.vectors(sampleSpace);
					const asked = [
						() => tenant.documents.list(scope, documentStatuses, page, false),
						() => tenant.documents.tally(scope, ["type"]),
						() => tenant.memories.list(scope, false, page),
						() => tenant.words.matchChunks(["harbour"], scope, 10),
						() => tenant.words.matchMemories(["harbour"], grants, 10),
						() => tenant.words.matchChunks(["harbour"], scope, 10, 60_000),
						() => tenant.words.matchMemories(["harbour"], grants, 10, 60_000),
						() => index.nearestChunks(world.samples.makeVector(), scope, 10),
						() => index.nearestMemories(world.samples.makeVector(), grants, 10),
						() => Promise.all(named.map((tag) => tenant.containers.get(tag))),
					];
					for (const ask of asked) expect(await refusal(ask)).toBe(expected);
					if (!isAllowed) return;
					const { documents } = await tenant.documents.list(scope, documentStatuses, page, false);
					expect(idsOf(documents)).toEqual(
						idsOf(seenDocuments.filter(({ containerTags }) => containerTags.some((tag) => named.includes(tag as (typeof named)[number])))),
					);
				}),
				runs,
			);
		},
		patienceMs,
	);

	test(
		"changes what is wholly its own; the rest stays as it was",
		async () => {
			await fc.assert(
				fc.asyncProperty(plans, fc.constantFrom(...containers), async (plan, target) => {
					const world = await makeWorld(plan);
					const { seenDocuments, seenMemories, own } = model(world, plan.grants);
					const tenant = bound(world, plan.grants);
					const mayWrite = plan.grants.some(({ permission }) => permission === "write");
					const foreign = () => Promise.all(world.documents.filter(({ containerTags }) => !own(containerTags)).map(({ id }) => world.tenant.documents.get(id)));
					const before = await foreign();
					const forbidden = mayWrite ? "CONTAINER_FORBIDDEN" : "ROLE_MISSING";
					for (const document of world.documents) {
						const isSeen = seenDocuments.includes(document);
						const change = await refusal(() => tenant.documents.change(document.id, { metadata: { changed: true } }, later, null));
						const moved = await refusal(() => tenant.documents.change(document.id, { containerTags: [target] }, later, null));
						const expected = mayWrite && !isSeen ? "done" : own(document.containerTags) ? "done" : forbidden;
						expect([change, moved]).toEqual([expected, own([target]) || expected !== "done" || !isSeen ? expected : forbidden]);
					}
					expect(await foreign()).toEqual(before);
					for (const memory of world.memories) {
						const outcome = await refusal(() => tenant.memories.forget([memory.id], null, later));
						const isForgotten = (await world.tenant.memories.get([memory.id]))[0]?.isForgotten;
						const current = (await world.tenant.memories.get([memory.id]))[0];
						if (!seenMemories.includes(memory) && current?.containerTag === memory.containerTag)
							expect([outcome, isForgotten]).toEqual([mayWrite ? "done" : "ROLE_MISSING", false]);
					}
				}),
				runs,
			);
		},
		patienceMs,
	);

	test(
		"adds to its own containers only, and is told nothing by customIds of others",
		async () => {
			await fc.assert(
				fc.asyncProperty(plans, fc.uniqueArray(fc.constantFrom(...containers), { minLength: 1 }), async (plan, containerTags) => {
					const world = await makeWorld(plan);
					const { own } = model(world, plan.grants);
					const tenant = bound(world, plan.grants);
					const mayWrite = plan.grants.some(({ permission }) => permission === "write");
					const add = (customId: string | null) => {
						const document = world.samples.makeDocument({ containerTags, customId });
						return refusal(() => tenant.documents.add(document, world.samples.makeJob(document)));
					};
					const expected = own(containerTags) ? "done" : mayWrite ? "CONTAINER_FORBIDDEN" : "ROLE_MISSING";
					expect(await add(null)).toBe(expected);
					for (const document of world.documents) {
						expect(await add(document.customId)).toBe(expected);
						expect(await world.tenant.documents.get(document.id)).toMatchObject({ containerTags: document.containerTags });
					}
				}),
				runs,
			);
		},
		patienceMs,
	);
});

import { describe, expect, test } from "bun:test";
import { asId, type Embedder, fail, type OrganisationId, type World } from "cairn-memory";
import { type MadeVector, type Storage, wholeOrganisation } from "cairn-memory/stores";
import { backfillSpaces } from "../../../core/embedding-spaces/backfill-spaces.ts";
import { createEmbedders } from "../../../core/embedding-spaces/embedders.ts";
import { planSpaces } from "../../../core/embedding-spaces/plan-spaces.ts";
import { switchSpaces } from "../../../core/embedding-spaces/switch-spaces.ts";
import type { Parts } from "../../../core/parts.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { createService, runWorker } from "../../../core/service.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createFastWorld } from "../../doubles/fast-world.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { until } from "../../doubles/until.ts";

const organisation = asId<OrganisationId>("organisationAAAAAAAAAA");
const caller = { organisation, role: "admin", grants: null } as never;
const old = lettersEmbedder;

/** The same letters in another room: another dimension, so that a mix-up cannot go unseen. */
function otherEmbedder(embedded: string[] = [], trouble: (text: string) => void = () => undefined, name = "doubled"): Embedder {
	return {
		name,
		space: { ...old.space, name: `${name}-1`, dimensions: 54 },
		batchMax: 4,
		embed: async (texts, purpose, step) => {
			for (const text of texts) trouble(text);
			if (purpose === "document") embedded.push(...texts);
			const vectors = await old.embed(texts, purpose, step);
			return vectors.map((vector) => Float32Array.from({ length: 54 }, (_, i) => (vector[i % 27] ?? 0) / Math.SQRT2));
		},
	};
}

interface Running {
	readonly parts: Parts;
	readonly service: ReturnType<typeof createService>;
	readonly stop: () => Promise<void>;
}

/** A server with these embedders, the first of which is wanted. */
async function start(storage: Storage, [chosen, ...others]: readonly [Embedder, ...Embedder[]], world = createFastWorld(20)): Promise<Running> {
	const embedders = createEmbedders([chosen, ...others], chosen);
	const known = createTestParts({ ...world, randomBytes: (n) => crypto.getRandomValues(new Uint8Array(n)) } as World, { storage });
	const parts: Parts = {
		...known,
		get embedder() {
			return embedders.active();
		},
		embedders,
	};
	await planSpaces(chosen, { spaces: storage.spaces, embedders, log: world.log });
	const stopping = new AbortController();
	const notifier = createNotifier();
	const running = [runWorker(parts, "test", 2, notifier, stopping.signal), switchSpaces(parts, stopping.signal)];
	return {
		parts,
		service: createService(parts, notifier),
		stop: async () => {
			stopping.abort();
			await Promise.all(running);
		},
	};
}

async function add({ service, parts }: Running, texts: readonly string[]): Promise<void> {
	for (const text of texts) {
		await service.add(caller, {
			content: { kind: "text", text, mediaType: "text/plain" },
			containerTags: ["team"],
			metadata: {},
			customId: null,
			filepath: null,
			taskType: "superrag",
			dreaming: "instant",
		} as never);
	}
	await until(async () => (await parts.storage.jobs.depth()).waiting + (await parts.storage.jobs.depth()).leased === 0);
}

const activeIs = (storage: Storage, space: string) => until(async () => (await storage.spaces.state()).active === space);
const words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "omikron", "sigma"];

async function vectorsIn(storage: Storage, { space }: Embedder): Promise<number> {
	const probe = new Float32Array(space.dimensions).fill(1);
	return (await storage.organisation(organisation).vectors(space).nearestChunks(probe, wholeOrganisation, 1_000)).length;
}

async function search({ service }: Running, query: string): Promise<readonly string[]> {
	const found = await service.searchDocuments(
		caller,
		{
			query,
			scope: wholeOrganisation,
			limit: 3,
			chunkThreshold: 0,
			documentThreshold: 0,
			rerank: false,
			rewriteQuery: false,
			onlyMatchingChunks: true,
			includeFullDocs: false,
			includeSummary: false,
		} as never,
		new AbortController().signal,
	);
	return found.flatMap(({ chunks }) => chunks.map(({ chunk }) => (chunk as { text: string }).text)).slice(0, 1);
}

describe("another embedder", () => {
	test("searches are answered before, while and after, and in the end by the new vectors", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		expect((await storage.spaces.state()).active).toBe(old.space.name);

		const embedded: string[] = [];
		const slow = otherEmbedder(embedded);
		const second = await start(storage, [slow, old]);
		const answers: string[] = [];
		await until(async () => {
			answers.push(...(await search(second, "gamma")));
			return (await storage.spaces.state()).active === slow.space.name;
		});
		expect(new Set(answers)).toEqual(new Set(["gamma"]));
		expect(second.parts.embedder.name).toBe("doubled");
		expect(await search(second, "kappa")).toEqual(["kappa"]);
		expect(await vectorsIn(storage, slow)).toBe(words.length);
		expect(embedded.toSorted()).toEqual(words.toSorted());
		await second.stop();
	});

	test("going back makes no vector anew but of what has come since", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		const other = otherEmbedder();
		const second = await start(storage, [other, old]);
		await activeIs(storage, other.space.name);
		await add(second, ["upsilon"]);
		await second.stop();

		const embedded: string[] = [];
		const back: Embedder = {
			...old,
			embed: async (texts, purpose, step) => {
				if (purpose === "document") embedded.push(...texts);
				return old.embed(texts, purpose, step);
			},
		};
		const third = await start(storage, [back, other]);
		await activeIs(storage, old.space.name);
		expect(embedded).toEqual(["upsilon"]);
		expect(await search(third, "upsilon")).toEqual(["upsilon"]);
		await third.stop();
	});

	test("killed in the middle it goes on where it was", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		const embedded: string[] = [];
		let stop: (() => void) | null = null;
		const other = otherEmbedder(embedded, () => embedded.length >= 4 && stop?.());
		const embedders = createEmbedders([other, old], other);
		await planSpaces(other, { spaces: storage.spaces, embedders, log: () => undefined });
		const killed = new AbortController();
		stop = () => killed.abort();
		const world = { ...createFastWorld(20), randomBytes: () => new Uint8Array() };
		await backfillSpaces({ embedders, storage, world, oneAtATime: createKeyedMutex() }, killed.signal);
		expect((await storage.spaces.state()).active).toBe(old.space.name);
		const before = await vectorsIn(storage, other);
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(words.length);

		const again: string[] = [];
		const second = await start(storage, [otherEmbedder(again), old]);
		expect(second.parts.embedder.name).toBe(old.name);
		await activeIs(storage, other.space.name);
		expect(again.length).toBe(words.length - before);
		await second.stop();
	});

	test("documents that come meanwhile are in the new space when they are done", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		const other = otherEmbedder();
		const second = await start(storage, [other, old]);
		await add(
			second,
			words.map((word) => `${word} again`),
		);
		await activeIs(storage, other.space.name);
		await until(async () => (await vectorsIn(storage, other)) === 2 * words.length);
		await second.stop();
	});

	test("an embedder that is away is waited for, and no document pays for it", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		let failures = 3;
		const other = otherEmbedder([], () => {
			if (failures-- > 0) throw fail("MODEL_UNAVAILABLE", "doubled", "it is away").after(100);
		});
		const second = await start(storage, [other, old]);
		await activeIs(storage, other.space.name);
		expect(await vectorsIn(storage, other)).toBe(words.length);
		await second.stop();
	});

	test("a text that an embedder cannot take is left out; one that takes nothing is never switched to", async () => {
		const storage = ramStorage();
		const first = await start(storage, [old]);
		await add(first, words);
		await first.stop();
		const refuse = (what: (text: string) => boolean) => (text: string) => {
			if (what(text)) throw fail("EMBEDDING_MALFORMED", "doubled", "is all zeros");
		};
		const dead = otherEmbedder(
			[],
			refuse(() => true),
			"dead",
		);
		const world = createFastWorld(20);
		const second = await start(storage, [dead, old], world);
		await until(async () => world.lines.filter(({ message }) => message.startsWith("vectors could not be computed")).length > 2);
		expect((await storage.spaces.state()).active).toBe(old.space.name);
		expect(await search(second, "gamma")).toEqual(["gamma"]);
		await second.stop();

		const picky = otherEmbedder(
			[],
			refuse((text) => text === "gamma"),
		);
		const third = await start(storage, [picky, old]);
		await until(async () => (await vectorsIn(storage, picky)) === words.length - 1);
		await third.stop();
	});

	test("of three spaces the oldest goes", async () => {
		const storage = ramStorage();
		const [a, b] = [otherEmbedder([], undefined, "a"), otherEmbedder([], undefined, "b")];
		for (const embedders of [[old], [a, old], [b, a, old]] as const) {
			const running = await start(storage, embedders as never);
			if (embedders[0] === old) await add(running, words);
			await activeIs(storage, embedders[0].space.name);
			if (embedders[0] === b) await until(async () => (await storage.spaces.names()).length === 2);
			await running.stop();
		}
		expect(await storage.spaces.names()).toEqual(["a-1", "b-1"]);
	});
});

describe("which space answers", () => {
	const planned = async (wanted: Embedder, known: readonly Embedder[], prepare: (storage: Storage) => Promise<void>) => {
		const storage = ramStorage();
		await prepare(storage);
		const embedders = createEmbedders(known, wanted);
		await planSpaces(wanted, { spaces: storage.spaces, embedders, log: () => undefined });
		const { active, next } = await storage.spaces.state();
		return { active, next, used: embedders.active().name };
	};
	const other = otherEmbedder();
	const withOldVectors = async (storage: Storage) => {
		const first = await start(storage, [old]);
		await add(first, ["alpha"]);
		await first.stop();
	};

	test("an empty storage: the wanted one", async () => {
		expect(await planned(other, [other, old], async () => undefined)).toEqual({ active: "doubled-1", next: null, used: "doubled" });
	});

	test("older vectors and their embedder: the old one, while the new is made", async () => {
		expect(await planned(other, [other, old], withOldVectors)).toEqual({ active: "letters-1", next: "doubled-1", used: "letters" });
	});

	test("older vectors without their embedder: the new one at once", async () => {
		expect(await planned(other, [other], withOldVectors)).toEqual({ active: "doubled-1", next: null, used: "doubled" });
	});

	test("the old one is wanted again before the new is made: nothing is made", async () => {
		expect(
			await planned(old, [other, old], async (storage) => {
				await withOldVectors(storage);
				await storage.spaces.plan("letters-1", "doubled-1");
			}),
		).toEqual({ active: "letters-1", next: null, used: "letters" });
	});
});

test("made vectors are of the organisation of their text", async () => {
	const storage = ramStorage();
	const stray: MadeVector = { kind: "chunk", organisation, id: "nobody", vector: new Float32Array(54) };
	await storage.spaces.backfill(otherEmbedder().space, [stray]);
	expect(await storage.spaces.names()).toEqual([]);
});

/** Every method of every store is decided, and every one that writes really keeps out who may not: the ports are walked, so that none is forgotten. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import { type Caller, type Storage, type TenantStore, wholeOrganisation } from "cairn-memory/stores";
import { authorize } from "../../../core/access/authorize.ts";
import { type Effects, methodEffects, type Stores } from "../../../core/access/method-effects.ts";
import { readOnly } from "../../../core/access/read-only-tenant.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { sampleOrganisation as organisation, sampleSpace } from "../../contract/samples.ts";
import { embedTexts, later } from "../../contract/storage/ground.ts";
import { openSqlite } from "../../plugins/stores/sqlite/open-sqlite.ts";
import { makeWorld, type RandomWorld } from "./random-world.ts";

const [seen, foreign] = ["quuxalpha", "quuxbeta"] as const;
/** A role that may write, and no container to do it in. */
const looker: Caller = { organisation, role: "write", grants: [{ containerTag: seen, permission: "read" }] };
const readers: readonly Caller[] = [
	{ organisation, role: "read", grants: null },
	{ organisation, role: "read", grants: [{ containerTag: seen, permission: "write" }] },
];

/** What a scoped key calls on the store itself. The names of blobs cannot be guessed, and a place in the log tells nothing of what is there. */
const letThrough = ["blobs.get", "events.latest", "events.oldest"];

type Call = (...given: readonly unknown[]) => unknown;
const storesByName = (tenant: TenantStore): Readonly<Record<string, Readonly<Record<string, Call>>>> =>
	({ ...tenant, vectors: tenant.vectors(sampleSpace) }) as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>;
const methodsOf = (tenant: TenantStore) =>
	Object.entries(storesByName(tenant))
		.flatMap(([kind, store]) => Object.keys(store).map((method) => `${kind}.${method}`))
		.toSorted();
const decided = Object.entries(methodEffects).flatMap(([kind, effects]) =>
	Object.entries(effects).map(([method, effect]) => ({ kind, method, effect: String(effect) })),
);
const writing = decided.filter(({ effect }) => effect === "writes");

const farOff = new Date("2099-01-01T00:00:00Z");
async function* bytes(...all: readonly number[]) {
	yield new Uint8Array(all);
}

async function refusal(act: () => unknown): Promise<string> {
	try {
		await act();
		return "done";
	} catch (thrown) {
		if (thrown instanceof ServiceError) return thrown.code;
		throw thrown;
	}
}

const open: Readonly<Record<string, () => Promise<{ readonly storage: Storage; readonly dispose: () => Promise<void> }>>> = {
	sqlite: openSqlite,
	ram: async () => ({ storage: ramStorage(), dispose: async () => undefined }),
};

for (const [name, start] of Object.entries(open)) {
	describe(`the stores of ${name}`, () => {
		let opened: Awaited<ReturnType<typeof start>>;
		beforeAll(async () => {
			opened = await start();
			await opened.storage.migrate();
		});
		afterAll(() => opened.dispose());

		test("have no method that is not decided, for any key", () => {
			const names = decided.map(({ kind, method }) => `${kind}.${method}`).toSorted();
			expect(methodsOf(opened.storage.organisation(organisation))).toEqual(names);
			for (const caller of [looker, ...readers]) expect(methodsOf(authorize(opened.storage, caller))).toEqual(names);
		});

		test("are asked directly by a key with a reach only where that tells nothing", () => {
			const tenant = opened.storage.organisation(organisation);
			const scoped = storesByName(authorize({ ...opened.storage, organisation: () => tenant }, looker));
			const inner = storesByName(tenant);
			expect(decided.flatMap(({ kind, method }) => (scoped[kind]?.[method] === inner[kind]?.[method] ? [`${kind}.${method}`] : []))).toEqual(letThrough);
		});

		test("refuse every write to a key that may only read", async () => {
			for (const caller of readers) {
				const tenant = storesByName(authorize(opened.storage, caller));
				for (const { kind, method } of writing) expect([kind, method, await refusal(() => tenant[kind]?.[method]?.())]).toEqual([kind, method, "ROLE_MISSING"]);
			}
		});
	});
}

test("a method without a decision is refused, and does not compile", async () => {
	const store = { get: async () => 1, purge: async () => 2 };
	// @ts-expect-error a method without a decision
	const effects: Effects<typeof store> = { get: "reads" };
	const guarded = readOnly(store, effects);
	expect([await refusal(guarded.get), await refusal(guarded.purge)]).toEqual(["done", "ROLE_MISSING"]);
});

/** Every method that writes, about a document and a memory that are there. */
function attempts(
	tenant: TenantStore,
	{ documents, memories, samples }: RandomWorld,
	at: number,
): { readonly [Kind in keyof Stores]?: Partial<Record<string, Call>> } {
	const [document, memory] = [documents[at], memories[at]];
	if (document === undefined || memory === undefined) throw new Error("the world is empty");
	const [tag = ""] = document.containerTags;
	const { id, revision } = document;
	const added = samples.makeDocument({ containerTags: [tag] });
	const drawn = { memory: samples.makeMemory({ containerTag: tag }), vector: samples.makeVector() };
	const failure = { code: "FILE_BROKEN", message: "x", hint: null, at: later } as never;
	const removal = samples.newId<never>();
	return {
		documents: {
			add: () => tenant.documents.add(added, samples.makeJob(added)),
			change: () => tenant.documents.change(id, { metadata: { changed: true } }, later, null),
			move: () => tenant.documents.move(id, revision, [document.status, "done", "queued"], "failed", later),
			progress: () => tenant.documents.progress(id, revision, { done: 1, total: 2, unit: "pages" }),
			describe: () => tenant.documents.describe(id, revision, { title: "changed" }),
			fail: () => tenant.documents.fail(id, revision, failure, "failed", later),
			setDreaming: () => tenant.documents.setDreaming(id, revision, "done", later),
			stage: () => tenant.documents.stage(id, revision, sampleSpace, []),
			publish: () => tenant.documents.publish(id, revision, later),
			remove: () => tenant.documents.remove(id, later),
		},
		memories: {
			save: () => tenant.memories.save(sampleSpace, [drawn], []),
			support: () => tenant.memories.support(memory.id, memory.evidence, later),
			reground: () => tenant.memories.reground(id, [], [memory.id], later),
			forget: () => tenant.memories.forget([memory.id], "changed", later),
			restore: () => tenant.memories.restore([memory.id], later),
			erase: () => tenant.memories.erase([memory.id], later),
			rehome: () => tenant.memories.rehome(tag, "quuxgamma", 10, later),
			amend: () => tenant.memories.amend(memory.id, { isInference: true }, later),
		},
		blobs: { put: () => tenant.blobs.put("kept", bytes(), 1), remove: () => tenant.blobs.remove("kept") },
		containers: {
			change: () => tenant.containers.change(tag, { name: "changed" }, later),
			describe: () => tenant.containers.describe(tag, "changed"),
			remove: () => tenant.containers.remove(tag),
		},
		records: {
			put: () => tenant.records.put("settings", "x", "changed", { expected: null, expiresAt: null, now: later }),
			remove: () => tenant.records.remove("settings", "x"),
		},
		removals: {
			setAside: () => tenant.removals.setAside(id, removal, farOff, later),
			bringBack: () => tenant.removals.bringBack(asideOf(at), documents[at + 2]?.id ?? id, samples.makeJob(document), later),
			expireAll: () => tenant.removals.expireAll(),
		},
		events: { append: () => tenant.events.append({ type: "container.changed", at: later, subject: "x", containerTags: [tag], facts: {} }) },
	};
}

const asideOf = (at: number) => `aside${at}AAAAAAAAAAAAAAAA` as never;

/** All there is, as the organisation itself sees it. */
async function everything({ tenant, documents, memories }: RandomWorld) {
	return {
		documents: await tenant.documents.getMany(documents.map(({ id }) => id)),
		all: (await tenant.documents.tally(wholeOrganisation, ["status"])).status.values().toArray(),
		chunks: await Promise.all(documents.map(({ id }) => tenant.documents.chunksOf(id))),
		memories: await tenant.memories.get(memories.map(({ id }) => id)),
		count: await tenant.memories.count({ scope: wholeOrganisation, includeForgotten: true, now: later }),
		containers: await tenant.containers.list(),
		record: await tenant.records.get("settings", "x", later),
		blob: await tenant.blobs.get("kept"),
		removals: await Promise.all([0, 1].map((at) => tenant.removals.list(asideOf(at), later))),
		events: await tenant.events.latest(),
	};
}

async function fullWorld(): Promise<RandomWorld> {
	const tags = [seen, foreign];
	const world = await makeWorld({
		documents: [...tags, ...tags].map((tag) => [tag]),
		memories: tags.map((tag, source) => ({ tag, source, parent: 9 })),
		grants: [],
	});
	await world.tenant.records.put("settings", "x", "kept", { expected: null, expiresAt: null, now: later });
	await world.tenant.blobs.put("kept", bytes(1), 1);
	// Publishing shows only what was staged since it was published last.
	for (const document of world.documents.slice(0, 2)) {
		const { id, revision } = document;
		await world.tenant.documents.stage(id, revision, sampleSpace, embedTexts(world.samples, document, ["the harbour closes at dusk"]));
	}
	for (const at of [0, 1]) await world.tenant.removals.setAside(world.documents[at + 2]?.id ?? ("" as never), asideOf(at), farOff, later);
	return world;
}

/** @returns the outcome, and whether anything is otherwise than before */
async function attempt(world: RandomWorld, tenant: TenantStore, at: number, kind: string, method: string) {
	const act = attempts(tenant, world, at)[kind as keyof Stores]?.[method];
	if (act === undefined) throw new Error(`${kind}.${method} is tried by nothing`);
	const before = await everything(world);
	const outcome = await refusal(act);
	return { outcome, isChanged: !Bun.deepEquals(before, await everything(world)) };
}

describe("every method that writes", () => {
	test("changes nothing for a key that may write nowhere, in a container that it sees or not", async () => {
		const world = await fullWorld();
		const tenant = authorize(world.storage, looker);
		for (const at of [0, 1]) {
			for (const { kind, method } of writing) {
				const { outcome, isChanged } = await attempt(world, tenant, at, kind, method);
				expect([kind, method, isChanged]).toEqual([kind, method, false]);
				expect(["done", "ROLE_MISSING", "CONTAINER_FORBIDDEN"]).toContain(outcome);
			}
		}
	});

	test("does change something when the organisation itself calls it", async () => {
		const without: string[] = [];
		for (const { kind, method } of writing) {
			const world = await fullWorld();
			const { outcome, isChanged } = await attempt(world, world.tenant, 0, kind, method);
			if (outcome !== "done" || !isChanged) without.push(`${kind}.${method}`);
		}
		// What is staged is not visible yet, and the memory is not forgotten.
		expect(without).toEqual(["documents.stage", "memories.restore"]);
	});
});

test("a store that is an instance of a class keeps the methods that read", async () => {
	class Blobs {
		readonly #held = "held";
		get() {
			return this.#held;
		}
		put() {
			return "written";
		}
	}
	const { get, put } = readOnly(new Blobs() as unknown as TenantStore["blobs"], methodEffects.blobs);
	expect((get as Call)("key")).toBe("held");
	expect(await refusal(() => (put as Call)("key", bytes()))).toBe("ROLE_MISSING");
});

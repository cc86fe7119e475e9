/** The vector index on small sets, where every answer must be that of brute force. */

import type { SQLQueryBindings } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { OrganisationId } from "../../../../core/index.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { chunkScope, memoryScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { pageAfter, vectorsOf, visible } from "../../../../plugins/stores/sqlite/vectors/vector-tables.ts";
import {
	addChunks,
	addDocuments,
	addMemories,
	bruteForce,
	bytesOf,
	clusteredVectors,
	createFixture,
	expectNearest,
	type Fixture,
	idsOf,
	type NewChunk,
	organisation,
	randomFrom,
	recall,
	roundedTo,
	space,
	tagged,
} from "./vector-fixture.ts";

let fixture: Fixture;
beforeEach(() => {
	fixture = createFixture();
});
afterEach(() => fixture.close());

/** Documents d0… of ten chunks each; document i bears the tags of all shares that it falls into. */
function populate(count: number, seed: number): NewChunk[] {
	const shares = [0.5, 0.1, 0.01, 0.001];
	const random = randomFrom(seed);
	const documents = Array.from({ length: Math.ceil(count / 10) }, (_, i) => ({
		id: `d${i}`,
		tags: shares.filter((share, rank) => random() < share || i === rank).map(String),
	}));
	addDocuments(fixture.db, documents);
	const chunks = clusteredVectors(count, seed).map((vector, i) => ({ id: `c${i}`, vector, document: `d${Math.floor(i / 10)}` }));
	addChunks(fixture.db, chunks);
	return chunks;
}

function documentsTagged(tag: string): Set<string> {
	const rows = fixture.db.query<{ document: string }, [string]>("SELECT document FROM document_tags WHERE tag = ?").all(tag);
	return new Set(rows.map(({ document }) => document));
}

describe("the same as brute force", () => {
	// The last two make a partition of 3,000 count as large, so that lists and the graphless fallback are walked as well.
	for (const limits of [{}, { wholeMax: 100 }, { wholeMax: 100, exactMax: 10 }]) {
		test(`at every selectivity, limits ${JSON.stringify(limits)}`, async () => {
			const chunks = populate(3000, 1);
			const index = fixture.open({ limits }).index(organisation, space);
			const rounding = "wholeMax" in limits ? roundedTo : undefined;
			for (const query of clusteredVectors(3, 2)) {
				for (const tag of ["0.5", "0.1", "0.01", "0.001"]) {
					const documents = documentsTagged(tag);
					const within = chunks.filter(({ document = "" }) => documents.has(document));
					for (const _again of [1, 2]) {
						const found = await index.nearestChunks(query, tagged(tag), 20);
						expectNearest(found, query, within, 20, rounding);
					}
				}
				expectNearest(await index.nearestChunks(query, wholeOrganisation, 20), query, chunks, 20, rounding);
			}
		});
	}

	test("with nine of ten deleted, before and after the matrix is made anew", async () => {
		const chunks = populate(3000, 3);
		const index = fixture.open().index(organisation, space);
		const [query] = clusteredVectors(1, 4);
		if (!query) throw new Error("no query");
		await index.nearestChunks(query, wholeOrganisation, 10);
		const left = chunks.filter((_, i) => i % 10 === 0);
		fixture.db.run("DELETE FROM chunk_vectors WHERE key % 10 <> 1");
		fixture.db.run("DELETE FROM chunks WHERE key % 10 <> 1");
		for (let i = 0; i < 20; i++) {
			expect(idsOf(await index.nearestChunks(query, wholeOrganisation, 25))).toEqual(bruteForce(query, left, 25).map(({ id }) => id));
			await Bun.sleep(1);
		}
		expect(idsOf(await index.nearestChunks(query, wholeOrganisation, 1000)).length).toBe(300);
	});

	test("when many search at once while the partition is still being read", async () => {
		const chunks = populate(3000, 16);
		const index = fixture.open({ limits: { wholeMax: 100 } }).index(organisation, space);
		const queries = clusteredVectors(20, 17);
		const found = await Promise.all(queries.map((query, i) => index.nearestChunks(query, i % 2 === 0 ? wholeOrganisation : tagged("0.1"), 10)));
		const documents = documentsTagged("0.1");
		const tenth = chunks.filter(({ document = "" }) => documents.has(document));
		for (const [i, query] of queries.entries()) expectNearest(found[i] ?? [], query, i % 2 === 0 ? chunks : tenth, 10, roundedTo);
	});

	test("while chunks come and go between searches", async () => {
		addDocuments(fixture.db, [{ id: "doc" }]);
		const random = randomFrom(5);
		const vectors = clusteredVectors(600, 6);
		const alive = new Map<string, NewChunk>();
		const index = fixture.open({ limits: { wholeMax: 50 } }).index(organisation, space);
		for (let round = 0; round < 30; round++) {
			const added = vectors.slice(round * 20, round * 20 + 20).map((vector, i) => ({ id: `r${round}-${i}`, vector }));
			addChunks(fixture.db, added);
			for (const chunk of added) alive.set(chunk.id, chunk);
			for (const id of [...alive.keys()]) {
				if (random() > 0.3) continue;
				fixture.db.run("DELETE FROM chunks WHERE id = ?", [id]);
				fixture.db.run("DELETE FROM chunk_vectors WHERE chunk = ?", [id]);
				alive.delete(id);
			}
			const query = vectors[round] ?? new Float32Array(0);
			const found = await index.nearestChunks(query, wholeOrganisation, 10);
			expectNearest(found, query, [...alive.values()], 10, roundedTo);
		}
	});
});

describe("what a search may see", () => {
	test("nothing unpublished, and everything at once when it is published", async () => {
		const [a, b] = clusteredVectors(2, 7);
		if (!a || !b) throw new Error("no vectors");
		addDocuments(fixture.db, [{ id: "seen" }, { id: "hidden", isPublished: false }]);
		addChunks(fixture.db, [
			{ id: "a", vector: a, document: "seen" },
			{ id: "b", vector: b, document: "hidden" },
		]);
		const index = fixture.open().index(organisation, space);
		expect(idsOf(await index.nearestChunks(b, wholeOrganisation, 5))).toEqual(["a"]);
		expect(idsOf(await index.nearestChunks(b, { ...wholeOrganisation, document: null, filepath: null }, 5))).toEqual(["a"]);
		fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
		const found = await index.nearestChunks(b, wholeOrganisation, 5);
		expect(idsOf(found)).toEqual(["b", "a"]);
		expect(found[0]).toEqual({ id: "b", document: "hidden", position: 0, score: expect.closeTo(1, 5) } as never);
	});

	test("a list that was remembered does not outlive a change of tags", async () => {
		const chunks = populate(500, 8);
		const index = fixture.open({ limits: { wholeMax: 10 } }).index(organisation, space);
		const query = chunks[0]?.vector ?? new Float32Array(0);
		expect(idsOf(await index.nearestChunks(query, tagged("0.5"), 1))).toEqual(["c0"]);
		fixture.db.run("DELETE FROM document_tags WHERE document = 'd0'");
		fixture.db.run("UPDATE documents SET container_tags = '[]' WHERE id = 'd0'");
		expect(idsOf(await index.nearestChunks(query, tagged("0.5"), 100))).not.toContain("c0");
		fixture.db.run("INSERT INTO document_tags (organisation, tag, document) VALUES (?, '0.5', 'd0')", [organisation]);
		fixture.db.run("UPDATE documents SET container_tags = '[\"0.5\"]' WHERE id = 'd0'");
		expect(idsOf(await index.nearestChunks(query, tagged("0.5"), 1))).toEqual(["c0"]);
	});

	test("nothing of another organisation or space, not even the same vector", async () => {
		const [vector] = clusteredVectors(1, 9);
		if (!vector) throw new Error("no vector");
		addDocuments(fixture.db, [{ id: "doc" }, { id: "doc", organisation: "org-b" }]);
		addChunks(fixture.db, [
			{ id: "mine", vector },
			{ id: "theirs", vector, organisation: "org-b" },
			{ id: "elsewhere", vector, space: "test-2" },
		]);
		const vectors = fixture.open();
		expect(idsOf(await vectors.index(organisation, space).nearestChunks(vector, wholeOrganisation, 10))).toEqual(["mine"]);
		expect(idsOf(await vectors.index("org-b" as OrganisationId, space).nearestChunks(vector, wholeOrganisation, 10))).toEqual(["theirs"]);
		expect(idsOf(await vectors.index(organisation, { ...space, name: "test-2" }).nearestChunks(vector, wholeOrganisation, 10))).toEqual(["elsewhere"]);
		expect(await vectors.index("org-c" as OrganisationId, space).nearestChunks(vector, wholeOrganisation, 10)).toEqual([]);
	});

	test("memories: current ones, or all when asked for", async () => {
		const [vector] = clusteredVectors(1, 10);
		if (!vector) throw new Error("no vector");
		const at = (iso: string) => new Date(`2030-01-${iso}T00:00:00Z`);
		addMemories(fixture.db, [
			{ id: "current", vector },
			{ id: "replaced", vector, isLatest: false },
			{ id: "forgotten", vector, isForgotten: true },
			{ id: "expiring", vector, forgetAfter: at("10") },
			{ id: "boxed", vector, container: "other" },
		]);
		const index = fixture.open({ limits: { wholeMax: 0 } }).index(organisation, space);
		const search = async (includeForgotten: boolean, now: Date, ...tags: string[]) =>
			(await index.nearestMemories(vector, { scope: tagged(...tags), includeForgotten, now }, 10)).map(({ id }) => String(id));
		expect(await search(false, at("09"))).toEqual(["current", "expiring", "boxed"]);
		expect(await search(false, at("09"), "box")).toEqual(["current", "expiring"]);
		expect(await search(false, at("11"), "box")).toEqual(["current"]);
		expect(await search(false, at("09"), "box")).toEqual(["current", "expiring"]);
		expect(await search(true, at("11"))).toEqual(["current", "replaced", "forgotten", "expiring", "boxed"]);
	});
});

describe("what is odd", () => {
	test("a query that is no vector of the space is refused", async () => {
		const index = fixture.open().index(organisation, space);
		const faulty = [
			new Float32Array(31).fill(1),
			new Float32Array(32),
			new Float32Array(32).fill(Number.NaN),
			new Float32Array(32).fill(Number.POSITIVE_INFINITY),
		];
		for (const query of faulty) await expect(index.nearestChunks(query, wholeOrganisation, 10)).rejects.toMatchObject({ code: "EMBEDDING_MALFORMED" });
	});

	test("a row that is no vector is passed over", async () => {
		const chunks = clusteredVectors(50, 11).map((vector, i) => ({ id: `c${i}`, vector }));
		addDocuments(fixture.db, [{ id: "doc" }]);
		addChunks(fixture.db, [
			{ id: "nan", vector: new Float32Array(32).fill(Number.NaN) },
			{ id: "zero", vector: new Float32Array(32) },
			{ id: "short", vector: new Float32Array(8).fill(1) },
			...chunks,
			{ id: "last", vector: new Float32Array(32) },
		]);
		const query = chunks[7]?.vector ?? new Float32Array(0);
		const found = await fixture.open().index(organisation, space).nearestChunks(query, wholeOrganisation, 100);
		expect(idsOf(found).slice(0, 10)).toEqual(bruteForce(query, chunks, 10).map(({ id }) => id));
		expect(found.length).toBe(50);
	});

	test("3,000 equal vectors are all found", async () => {
		const [vector, other] = clusteredVectors(2, 12);
		if (!vector || !other) throw new Error("no vectors");
		addDocuments(fixture.db, [{ id: "doc" }]);
		addChunks(fixture.db, [...Array.from({ length: 3000 }, (_, i) => ({ id: `same-${i}`, vector })), { id: "other", vector: other }]);
		const index = fixture.open().index(organisation, space);
		const found = await index.nearestChunks(vector, wholeOrganisation, 3001);
		expect(new Set(idsOf(found)).size).toBe(3001);
		expect(found.at(-1)?.id as string).toBe("other");
		const few = await index.nearestChunks(vector, wholeOrganisation, 10);
		expect(recall(few, found.slice(0, 10))).toBe(1);
		expect(idsOf(few)).toEqual([...idsOf(few)].sort());
	});

	test("no limit, no room, no neighbours", async () => {
		const index = fixture.open().index(organisation, space);
		const [query] = clusteredVectors(1, 13);
		if (!query) throw new Error("no vector");
		expect(await index.nearestChunks(query, wholeOrganisation, 10)).toEqual([]);
		addDocuments(fixture.db, [{ id: "doc" }]);
		addChunks(fixture.db, [{ id: "a", vector: query }]);
		expect(await index.nearestChunks(query, wholeOrganisation, 0)).toEqual([]);
		expect(await index.nearestChunks(query, tagged("nowhere"), 10)).toEqual([]);
	});

	test("stored vectors are answered bit for bit, and the gone are left out", async () => {
		const [a, b] = clusteredVectors(2, 14);
		if (!a || !b) throw new Error("no vectors");
		addDocuments(fixture.db, [{ id: "doc" }]);
		addChunks(fixture.db, [
			{ id: "a", vector: a },
			{ id: "b", vector: b, organisation: "org-b" },
		]);
		addMemories(fixture.db, [{ id: "m", vector: b }]);
		const index = fixture.open().index(organisation, space);
		const chunks = await index.chunkVectors(["a", "b", "c"] as never);
		expect([...chunks.keys()].map(String)).toEqual(["a"]);
		expect(bytesOf(chunks.get("a" as never) ?? b)).toEqual(bytesOf(a));
		expect([...(await index.memoryVectors(["m", "a"] as never)).keys()].map(String)).toEqual(["m"]);
	});

	test("an open partition answers stored vectors of what is published, also of what was removed and put back", async () => {
		const [a, b, query] = clusteredVectors(3, 16);
		if (!a || !b || !query) throw new Error("no vectors");
		addDocuments(fixture.db, [{ id: "doc" }, { id: "hidden", isPublished: false }]);
		addChunks(fixture.db, [
			{ id: "a", vector: a },
			{ id: "b", vector: b, document: "hidden" },
		]);
		const index = fixture.open().index(organisation, space);
		await index.nearestChunks(query, wholeOrganisation, 10);
		const known = async () => [...(await index.chunkVectors(["b", "a", "c"] as never))].map(([id, vector]) => [String(id), bytesOf(vector)]);
		expect(await known()).toEqual([["a", bytesOf(a)]]);
		fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
		expect((await known()).toSorted()).toEqual([
			["a", bytesOf(a)],
			["b", bytesOf(b)],
		]);
		for (const table of ["chunks", "chunk_vectors"]) fixture.db.run(`DELETE FROM ${table} WHERE ${table === "chunks" ? "id" : "chunk"} = 'a'`);
		expect(await known()).toEqual([["b", bytesOf(b)]]);
		addChunks(fixture.db, [{ id: "a", vector: query }]);
		expect((await known()).toSorted()).toEqual([
			["a", bytesOf(query)],
			["b", bytesOf(b)],
		]);
	});

	test("partitions beyond the bound are dropped and read again", async () => {
		const [vector] = clusteredVectors(1, 15);
		if (!vector) throw new Error("no vector");
		const owners = ["org-a", "org-b", "org-c"] as OrganisationId[];
		addDocuments(
			fixture.db,
			owners.map((owner) => ({ id: "doc", organisation: owner })),
		);
		addChunks(
			fixture.db,
			owners.map((owner) => ({ id: "only", vector, organisation: owner })),
		);
		const vectors = fixture.open({ limits: { matrixBytesMax: 1 } });
		for (const owner of [...owners, ...owners]) {
			expect(idsOf(await vectors.index(owner, space).nearestChunks(vector, wholeOrganisation, 5))).toEqual(["only"]);
		}
	});
});

describe("the statements of a search", () => {
	/** The plan of what a call would run. */
	function planOf(run: (connection: Connection) => unknown): string {
		const plans: string[] = [];
		const explain = (sql: string) => ({
			all: (...params: SQLQueryBindings[]) => {
				const steps = fixture.db.query<{ detail: string }, SQLQueryBindings[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...params);
				plans.push(...steps.map(({ detail }) => detail));
				return [];
			},
		});
		run({ statement: explain } as unknown as Connection);
		return plans.join("\n");
	}

	test("go from keys to owners, whatever SQLite thinks of the sizes of the tables", () => {
		const memoryFilter = { scope: wholeOrganisation, includeForgotten: false, now: new Date(0) };
		for (const kind of ["chunk", "memory"] as const) {
			const address = { kind, organisation, space };
			const inScope = kind === "chunk" ? chunkScope(organisation, wholeOrganisation) : memoryScope(organisation, memoryFilter);
			const plan = planOf((connection) => visible(connection, address, [1, 2], inScope));
			expect(plan).toMatch(/^SCAN k VIRTUAL TABLE.*\nSEARCH v USING INTEGER PRIMARY KEY/);
			expect(plan).not.toMatch(/SCAN [^kj]/);
			expect(planOf((connection) => pageAfter(connection, address, 5))).toContain(`${kind}_vectors_in_order (organisation=? AND space=? AND rowid>?)`);
			expect(planOf((connection) => vectorsOf(connection, address, ["a"], inScope))).toContain(
				`${kind}_vectors_identity (organisation=? AND ${kind}=? AND space=?)`,
			);
		}
	});
});

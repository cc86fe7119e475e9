/** Texts and vectors that come and go: what is in memory for searches does not grow with those that are gone, and hides none that are left. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { memoryScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { openReads } from "../../../../plugins/stores/sqlite/threads/reads.ts";
import { VectorPartition } from "../../../../plugins/stores/sqlite/vectors/vector-partition.ts";
import { createContext, type VectorsContext } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";
import { WordPartition } from "../../../../plugins/stores/sqlite/words/word-partition.ts";
import { createSamples, sampleOrganisation } from "../../../contract/samples.ts";
import { addMemories, clusteredVectors, createFixture, type Fixture, organisation, space } from "./vector-fixture.ts";

/** Each round adds so many and deletes those of the round before. */
const perRound = 100;
const rounds = 30;

test("texts that are gone are read no more: memory is that of a few rounds", async () => {
	const folder = mkdtempSync(join(tmpdir(), "cairn-deleted-"));
	const file = join(folder, "cairn.sqlite");
	const connection = openWriter(file);
	migrate(connection, migrations);
	const samples = createSamples(1);
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?, ?, ?, 1, 1, 0, ?, '{}')";
	const reads = openReads(file);
	const context = { folder: join(folder, "words"), reads, canRemove: true, warn: () => undefined, lookMs: 0 };
	const partition = new WordPartition({ kind: "chunk", organisation: sampleOrganisation }, context);
	const held: { readonly texts: number; readonly read: number; readonly spellings: number }[] = [];
	for (let round = 0; round < rounds; round++) {
		connection.transaction(() => {
			connection.db.run("DELETE FROM chunks");
			for (let i = 0; i < perRound; i++) connection.statement(sql).run(sampleOrganisation, samples.newId(), samples.newId(), `walnut word${round}x${i}`);
		});
		held.push(await partition.ask(({ texts, fresh }) => ({ texts, read: fresh.size, spellings: fresh.spellings.spellingCount })));
		// A renewal reads files first, which takes a busy machine more than a turn.
		for (let turn = 0; turn < 50 || (turn < 20_000 && (await sizeOf(partition)) > (rounds * perRound) / 3); turn++)
			await new Promise((resolve) => setImmediate(resolve));
	}
	expect(held.every(({ texts }) => texts === perRound)).toBe(true);
	const most = (rounds * perRound) / 2;
	expect(Math.max(...held.map(({ read }) => read))).toBeLessThan(most);
	expect(Math.max(...held.map(({ spellings }) => spellings))).toBeLessThan(most);
	reads.close();
	connection.close();
	rmSync(folder, { recursive: true });
});

function sizeOf(partition: WordPartition): Promise<number> {
	return partition.ask(({ fresh }) => fresh.size);
}

let fixture: Fixture;
let context: VectorsContext;
beforeEach(() => {
	fixture = createFixture();
	// A thread that builds no files, as the one that extracts memories.
	context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false });
});
afterEach(async () => {
	context.close();
	await fixture.close();
});

const within = { scope: { ...wholeOrganisation, containerTags: ["searched"] }, includeForgotten: false, now: new Date(0) };
const searchScope = { rows: memoryScope(organisation, within), isRestricted: true, name: "searched", now: 0, containers: new Set(["searched"]) };
const [query = new Float32Array(), ...vectors] = clusteredVectors(perRound + 1, 3);

function deleteAllBut(like: string): void {
	fixture.db.run("DELETE FROM memories WHERE id NOT LIKE ?", [like]);
	fixture.db.run("DELETE FROM memory_vectors WHERE memory NOT LIKE ?", [like]);
}

test("vectors that are gone are dropped, also where only a few of them are ever searched", async () => {
	const partition = new VectorPartition({ kind: "memory", organisation, space }, context);
	const sizes: number[] = [];
	for (let round = 0; round < rounds; round++) {
		addMemories(
			fixture.db,
			vectors.map((vector, i) => ({ id: `memory-${round}-${i}`, vector, container: i === 0 ? "searched" : "other" })),
		);
		deleteAllBut(`memory-${round}-%`);
		const [found] = await partition.nearestOfEach({ queries: [query], searchScope, limit: 5 });
		expect(found?.map(({ id }) => id)).toEqual([`memory-${round}-0`]);
		await partition.settle();
		sizes.push(partition.byteLength);
	}
	const half = rounds / 2;
	expect(Math.max(...sizes.slice(half))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, half)));
});

test.each([10, 26, 30, 41, 42, 60, 200])("a memory is found behind %d nearer ones that were deleted since the list of its container was read", async (gone) => {
	const partition = new VectorPartition({ kind: "memory", organisation, space }, context);
	const near = Array.from({ length: gone }, (_, i) => ({ id: `gone-${i}`, vector: query, container: "searched" }));
	addMemories(fixture.db, [...near, { id: "left", vector: query.map((value) => -value), container: "searched" }]);
	const search = async () => (await partition.nearestOfEach({ queries: [query, query], searchScope, limit: 5 })).map((found) => found.map(({ id }) => id));
	expect((await search()).map((found) => found.length)).toEqual([5, 5]);
	deleteAllBut("left");
	expect(await search()).toEqual([["left"], ["left"]]);
});

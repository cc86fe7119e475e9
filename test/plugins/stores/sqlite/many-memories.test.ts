/** A container with more memories than are compared in full: many queries find what brute force finds, whatever becomes of the memories meanwhile. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Vector } from "../../../../core/index.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { memoryScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { VectorPartition } from "../../../../plugins/stores/sqlite/vectors/vector-partition.ts";
import { createContext, defaultLimits, type VectorsContext } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";
import { addMemories, clusteredVectors, createFixture, type Fixture, organisation, roundedTo, space } from "./vector-fixture.ts";

const within = { scope: { ...wholeOrganisation, containerTags: ["searched"] }, includeForgotten: false, now: new Date(0) };
const searchScope = { rows: memoryScope(organisation, within), isRestricted: true, name: "searched", now: 0, containers: new Set(["searched"]) };
const vectors = clusteredVectors(5_000, 12);
const [queries, known] = [vectors.slice(0, 12), vectors.slice(12)];
const limit = 8;
/** More rows than are read from the tables at once, and fewer than the container has. */
const limits = { ...defaultLimits, wholeMax: 500, exactMax: 1_000 };

let fixture: Fixture;
let context: VectorsContext;
let partition: VectorPartition;
/** How many statements were made for searches. */
let statements = 0;

beforeEach(() => {
	fixture = createFixture();
	context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false, limits });
	const counted = () => {
		statements += 1;
		return context.db();
	};
	partition = new VectorPartition({ kind: "memory", organisation, space }, { ...context, db: counted });
	addMemories(
		fixture.db,
		known.map((vector, i) => ({ id: `m${i}`, vector, container: i % 10 === 0 ? "other" : "searched" })),
	);
});
afterEach(async () => {
	await partition.settle();
	context.close();
	await fixture.close();
});

const search = () => partition.nearestOfEach({ queries, searchScope, limit });

/** Every found memory is current, and nearly all of those are found that brute force finds. */
async function expectNearest(): Promise<void> {
	const rows = fixture.db.query<{ id: string }, []>("SELECT id FROM memories WHERE container_tag = 'searched' AND is_latest = 1 AND is_forgotten = 0").all();
	const current = new Map(rows.map(({ id }) => [id, known[Number(id.slice(1))] ?? new Float32Array(space.dimensions)]));
	let hits = 0;
	for (const [i, found] of (await search()).entries()) {
		const query = queries[i] ?? new Float32Array(space.dimensions);
		const least =
			Float64Array.from(current.values(), (vector) => dot(query, vector))
				.sort()
				.at(-limit) ?? 1;
		expect(found.length).toBe(limit);
		expect(found.every(({ id }) => current.has(id))).toBe(true);
		hits += found.filter(({ id }) => dot(query, current.get(id) ?? query) >= least - roundedTo).length;
	}
	expect(hits).toBeGreaterThanOrEqual(0.97 * queries.length * limit);
}

/** The ids that the searches find now. */
async function foundIds(): Promise<string> {
	return JSON.stringify((await search()).flatMap((found) => found.map(({ id }) => id)));
}

test("what is replaced, forgotten, moved or deleted is found no more, and what comes back is", async () => {
	await expectNearest();
	for (const change of [
		"UPDATE memories SET is_latest = 0 WHERE id IN (SELECT value FROM json_each(?))",
		"UPDATE memories SET is_forgotten = 1 WHERE id IN (SELECT value FROM json_each(?))",
		"UPDATE memories SET container_tag = 'other' WHERE id IN (SELECT value FROM json_each(?))",
	]) {
		fixture.db.run(change, [await foundIds()]);
		await expectNearest();
	}
	fixture.db.run("UPDATE memories SET is_forgotten = 0");
	fixture.db.run("UPDATE memories SET container_tag = 'searched' WHERE container_tag = 'other'");
	await expectNearest();
	const ids = await foundIds();
	fixture.db.run("DELETE FROM memories WHERE id IN (SELECT value FROM json_each(?))", [ids]);
	fixture.db.run("DELETE FROM memory_vectors WHERE memory IN (SELECT value FROM json_each(?))", [ids]);
	await expectNearest();
});

test("rows that are known are not read again after memories were added", async () => {
	await search();
	addMemories(fixture.db, [{ id: "new", vector: queries[0] ?? new Float32Array(), container: "searched" }]);
	const before = statements;
	const found = await search();
	expect(found[0]?.[0]?.id).toBe("new");
	// What is new is read, for all queries together.
	expect(statements - before).toBeLessThan(queries.length);
});

function dot(a: Vector, b: Vector): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}

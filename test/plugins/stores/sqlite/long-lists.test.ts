/** Lists of containers with many memories: other work runs while one is read, and one whose memories are removed gets shorter. */

import { afterAll, afterEach, expect, test } from "bun:test";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { memoryScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { VectorMatrix } from "../../../../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { MemoryRows } from "../../../../plugins/stores/sqlite/vectors/memory-rows.ts";
import { ScopeLists } from "../../../../plugins/stores/sqlite/vectors/scope-lists.ts";
import { createContext, type VectorsContext } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";
import { addMemories, clusteredVectors, createFixture, organisation, space } from "./vector-fixture.ts";

const address = { kind: "memory", organisation, space } as const;
const within = { scope: { ...wholeOrganisation, containerTags: ["long"] }, includeForgotten: false, now: new Date(0) };
const scope = { rows: memoryScope(organisation, within), isRestricted: true, name: "long", now: 0, containers: new Set(["long"]) };

const fixture = createFixture();
const context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false });
afterEach(() => fixture.db.run("DELETE FROM memories"));
afterAll(async () => {
	context.close();
	await fixture.close();
});

function listsOf(matrix: VectorMatrix, given: VectorsContext = context): ScopeLists {
	return new ScopeLists(address, matrix, new MemoryRows(address, matrix, given), given);
}

test("other work runs while many keys in no order are looked up", async () => {
	const count = 200_000;
	const matrix = new VectorMatrix(4);
	const row = Int8Array.of(1, 2, 3, 4);
	for (let i = 0; i < count; i++) matrix.appendRow(2 * i + 1, row);
	// A prime step meets every other key once. Even keys are none of the matrix.
	const keys = Array.from({ length: count }, (_, i) => (i % 100 === 0 ? 2 : 2 * ((i * 7_919) % count) + 1));
	const lister = Object.assign(Object.create(context.lister), { list: async () => keys });
	let turns = 0;
	const turn = () => {
		turns += 1;
		next = setImmediate(turn);
	};
	let next = setImmediate(turn);
	const positions = await listsOf(matrix, { ...context, lister }).read(scope, 0, count);
	clearImmediate(next);
	expect(turns).toBeGreaterThan(0);
	expect(positions).toEqual(Int32Array.from(keys.filter((key) => key !== 2).map((key) => (key - 1) / 2)).sort());
});

test("a list is at most twice as long as it has memories, or a thousand longer, however others are removed", async () => {
	const vectors = clusteredVectors(6_000, 3);
	const matrix = new VectorMatrix(space.dimensions);
	addMemories(
		fixture.db,
		vectors.map((vector, i) => ({ id: `m${i}`, vector, container: "long" })),
	);
	for (const [i, vector] of vectors.entries()) matrix.append(i + 1, vector);
	const lists = listsOf(matrix);
	let epoch = 0;
	await lists.read(scope, epoch, vectors.length);
	const ways = [
		"UPDATE memories SET is_forgotten = 1 WHERE rowid IN",
		"UPDATE memories SET is_latest = 0 WHERE rowid IN",
		"UPDATE memories SET container_tag = 'other' WHERE rowid IN",
		"DELETE FROM memories WHERE rowid IN",
	];
	const visible = "FROM memories WHERE container_tag = 'long' AND is_forgotten = 0 AND is_latest = 1";
	for (let round = 0; round < 19; round++) {
		fixture.db.run(`${ways[round % ways.length]} (SELECT rowid ${visible} ORDER BY id LIMIT 300)`);
		epoch += 1;
		const list = (await lists.cached(scope, epoch)) ?? (await lists.read(scope, epoch, vectors.length)) ?? new Int32Array();
		const left = fixture.db.query<{ count: number }, []>(`SELECT count(*) AS count ${visible}`).get()?.count ?? 0;
		expect(left).toBe(vectors.length - 300 * (round + 1));
		expect(list.length).toBeLessThanOrEqual(Math.max(2 * left, left + 1_000));
	}
});

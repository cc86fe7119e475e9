/** What a container holds is remembered over writes: whatever is written, a search finds what the tables say. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { cosine, type MemoryId, type Vector } from "../../../../core/index.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { addPositions } from "../../../../plugins/stores/sqlite/vectors/scope-lists.ts";
import { addMemories, clusteredVectors, createFixture, organisation, space } from "./vector-fixture.ts";

const boxes = ["left", "right"] as const;
const vectors = clusteredVectors(200, 5);
const now = new Date("2030-01-01T00:00:00Z");

type Act =
	| { readonly kind: "add"; readonly box: number; readonly count: number }
	| { readonly kind: "forget" | "restore" | "replace" | "revive" | "move" | "undo" | "redo" | "expire" | "keep"; readonly which: number }
	| { readonly kind: "search"; readonly box: number };

const act: fc.Arbitrary<Act> = fc.oneof(
	fc.record({ kind: fc.constant("add" as const), box: fc.nat(1), count: fc.integer({ min: 1, max: 4 }) }),
	fc.record({
		kind: fc.constantFrom(
			"forget" as const,
			"restore" as const,
			"replace" as const,
			"revive" as const,
			"move" as const,
			"undo" as const,
			"redo" as const,
			"expire" as const,
			"keep" as const,
		),
		which: fc.nat(30),
	}),
	fc.record({ kind: fc.constant("search" as const), box: fc.nat(1) }),
);

/** Large partitions score from the matrix, small ones from the stored vectors. */
test.each([0, 20_000])("a list stays right over writes, forgetting, restoring, moves, versions, expiry and undo, exact up to %d vectors", async (wholeMax) => {
	await fc.assert(
		fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
			const fixture = createFixture();
			try {
				const index = fixture.open({ limits: { wholeMax } }).index(organisation, space);
				const known = new Map<string, Vector>();
				let next = 0;
				for (const one of acts) {
					if (one.kind === "add") {
						const added = Array.from({ length: one.count }, () => ({
							id: `memory-${next}`,
							vector: vectors[next++ % vectors.length] as Vector,
							container: boxes[one.box] ?? "left",
						}));
						for (const { id, vector } of added) known.set(id, vector);
						addMemories(fixture.db, added);
					} else if (one.kind !== "search") write(fixture.db, one.kind, `memory-${one.which}`);
					for (const box of boxes) await agrees(box);
				}

				async function agrees(box: string): Promise<void> {
					const query = vectors[(next * 7) % vectors.length] as Vector;
					const within = { scope: { ...wholeOrganisation, containerTags: [box] }, includeForgotten: false, now };
					const sql = "SELECT id FROM memories WHERE container_tag = ? AND is_latest = 1 AND is_forgotten = 0 AND (forget_after IS NULL OR forget_after > ?)";
					const ids = fixture.db.query<{ id: string }, [string, number]>(sql).all(box, now.getTime());
					const wanted = ids
						.map(({ id }) => ({ id, score: cosine(query, known.get(id) as Vector) }))
						.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
					const found = await index.nearestMemories(query, within, 10);
					const [, again = []] = await index.nearestMemoriesOfEach([query, query], within, 10);
					// By the rows of the matrix: nearly equal ones may change places.
					expect(again.length).toBe(found.length);
					for (const [i, { id, score }] of again.entries()) {
						expect(ids.some((known) => known.id === id)).toBe(true);
						expect(Math.abs(score - (found[i]?.score ?? 0))).toBeLessThan(0.005);
					}
					expect(found.map(({ id }) => id)).toEqual(wanted.slice(0, 10).map(({ id }) => id as MemoryId));
				}
			} finally {
				await fixture.close();
			}
		}),
		{ numRuns: 20, seed: 23 },
	);
});

type Db = ReturnType<typeof createFixture>["db"];

/** As the store does it. What is undone leaves its vector where it is, under the same key. */
function write(db: Db, kind: Exclude<Act["kind"], "add" | "search">, id: string): void {
	const run = (sql: string) => db.run(sql, [id]);
	if (kind === "forget") run("UPDATE memories SET is_forgotten = 1 WHERE id = ?");
	else if (kind === "restore") run("UPDATE memories SET is_forgotten = 0 WHERE id = ?");
	else if (kind === "replace") run("UPDATE memories SET is_latest = 0 WHERE id = ?");
	else if (kind === "revive") run("UPDATE memories SET is_latest = 1 WHERE id = ?");
	else if (kind === "move") run("UPDATE memories SET container_tag = iif(container_tag = 'left', 'right', 'left') WHERE id = ?");
	else if (kind === "expire") run("UPDATE memories SET forget_after = 1 WHERE id = ?");
	else if (kind === "keep") run("UPDATE memories SET forget_after = NULL WHERE id = ?");
	else if (kind === "undo") {
		db.run("CREATE TABLE IF NOT EXISTS gone AS SELECT * FROM memories WHERE 0");
		run("INSERT INTO gone SELECT * FROM memories WHERE id = ?");
		run("DELETE FROM memories WHERE id = ?");
	} else if (db.query("SELECT 1 FROM sqlite_master WHERE name = 'gone'").get() !== null) {
		run("INSERT INTO memories SELECT * FROM gone WHERE id = ?");
		run("DELETE FROM gone WHERE id = ?");
	}
}

test("many positions are added at once, wherever they belong", () => {
	const even = Int32Array.from({ length: 100_000 }, (_, i) => 2 * i);
	const odd = Array.from({ length: 70_000 }, (_, i) => 2 * i + 1);
	const all = addPositions(even, [...odd, 0, 2, -1]);
	expect(all.length).toBe(170_000);
	expect([all[0], all[1], all[139_999], all[140_000]]).toEqual([0, 1, 139_999, 140_000]);
	expect(all.every((position, i) => i === 0 || position > (all[i - 1] ?? 0))).toBe(true);
	expect(addPositions(even, [0, 2, -1])).toBe(even);
});

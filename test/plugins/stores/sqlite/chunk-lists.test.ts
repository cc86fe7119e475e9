/** What a scope holds of chunks is remembered over writes: whatever is staged, published, moved, replaced or removed, a search finds what the tables say. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { cosine, type Vector } from "../../../../core/index.ts";
import { type Scope, wholeOrganisation } from "../../../../core/stores.ts";
import { chunkScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import { PartitionContents } from "../../../../plugins/stores/sqlite/vectors/partition-contents.ts";
import { VectorPartition } from "../../../../plugins/stores/sqlite/vectors/vector-partition.ts";
import { createContext } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";
import { addChunks, addDocuments, bytesOf, clusteredVectors, createFixture, idsOf, organisation, roundedTo, space, tagged } from "./vector-fixture.ts";

type Db = ReturnType<typeof createFixture>["db"];
const vectors = clusteredVectors(200, 5);
const scopes: readonly Scope[] = [tagged("left"), tagged("right"), { ...wholeOrganisation, filepath: "a/" }, wholeOrganisation];

const kinds = ["stage", "stage bare", "fill", "publish", "move", "file", "remove", "sweep", "note"] as const;
const act = fc.record({ kind: fc.constantFrom(...kinds), which: fc.nat(7), count: fc.integer({ min: 1, max: 3 }) });
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** Large partitions use a list from the first search on, small ones when few of the nearest are visible. */
test.each([0, 20_000])("a list of chunks stays right over what changes documents, exact up to %d vectors", async (wholeMax) => {
	await fc.assert(
		fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 40 }), async (acts) => {
			const fixture = createFixture();
			try {
				const index = fixture.open({ limits: { wholeMax } }).index(organisation, space);
				const known = new Map<string, Vector>();
				for (const [turn, one] of acts.entries()) {
					write(fixture.db, one, known);
					const query = vectors[(turn * 7) % vectors.length] as Vector;
					for (const scope of scopes) {
						const right = visibleIds(fixture.db, scope).map((id) => ({ id, score: cosine(query, known.get(id) as Vector) }));
						const found = await index.nearestChunks(query, scope, 5);
						expect(new Set(idsOf(found)).size).toBe(Math.min(5, right.length));
						const best = right.toSorted((a, b) => b.score - a.score);
						for (const [i, { id, score }] of found.entries()) {
							const own = right.find((chunk) => chunk.id === (id as string))?.score ?? Number.NaN;
							expect(Math.abs(score - own)).toBeLessThanOrEqual(roundedTo);
							expect((best[i]?.score ?? 0) - own).toBeLessThanOrEqual(2 * roundedTo);
						}
					}
				}
			} finally {
				await fixture.close();
			}
		}),
		{ numRuns: 25, seed: 29 },
	);
});

test("a list is updated while fewer documents have changed than it has chunks", async () => {
	const fixture = createFixture();
	const context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: true });
	try {
		const add = (count: number, tag: string) => {
			const ids = Array.from({ length: count }, (_, i) => `${tag}-${i}`);
			addDocuments(
				fixture.db,
				ids.map((id) => ({ id, tags: [tag] })),
			);
			addChunks(
				fixture.db,
				ids.map((id, i) => ({ id, document: id, vector: vectors[i] as Vector })),
			);
		};
		add(100, "left");
		const contents = await PartitionContents.open({ kind: "chunk", organisation, space }, context, () => Promise.reject(new Error("no file is there")));
		const scope = { rows: chunkScope(organisation, tagged("left")), isRestricted: true, name: "left", now: 0, containers: null };
		await contents.fill();
		expect(await contents.lists.read(scope, contents.epoch, 1_000)).toHaveLength(100);
		add(90, "right");
		await contents.fill();
		expect(await contents.lists.cached(scope, contents.epoch)).toHaveLength(100);
		add(110, "middle");
		await contents.fill();
		expect(await contents.lists.cached(scope, contents.epoch)).toBeNull();
	} finally {
		context.close();
		await fixture.close();
	}
});

test.each([
	["a large partition", 0],
	["a small one", 20_000],
])("a commit during a search hides what is not published any more, and the rest of its list is not asked for its scope again: %s", async (_name, wholeMax) => {
	const fixture = createFixture();
	const context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false, limits: { wholeMax } });
	try {
		// So many others that few of the nearest are visible, and a small partition is listed too.
		const others = Array.from({ length: 150 }, (_, i) => `other-${i}`);
		const ids = ["kept", "hidden", "moved", ...others];
		addDocuments(
			fixture.db,
			ids.map((id) => ({ id, tags: [others.includes(id) ? "right" : "left"] })),
		);
		addChunks(
			fixture.db,
			ids.map((id, i) => ({ id, document: id, vector: vectors[i] as Vector })),
		);
		let looks = Number.POSITIVE_INFINITY;
		const asked: string[] = [];
		const watched = {
			...context,
			epoch: () => {
				// The first look is for what is new, the second for what of the list is still there.
				if (--looks === 0) {
					fixture.db.run("UPDATE documents SET published_edition = 2 WHERE id = 'hidden'");
					tag(fixture.db, "moved", "right");
				}
				return context.epoch();
			},
			db: () => {
				const db = context.db();
				const statement: typeof db.statement = (sql) => {
					asked.push(sql);
					return db.statement(sql);
				};
				return { ...db, statement };
			},
		};
		const partition = new VectorPartition({ kind: "chunk", organisation, space }, watched);
		const searchScope = { rows: chunkScope(organisation, tagged("left")), isRestricted: true, name: "left", now: 0, containers: null };
		const search = async () => idsOf(await partition.nearest({ query: vectors[0] as Vector, searchScope, limit: 5 })).toSorted();
		expect(await search()).toEqual(["hidden", "kept", "moved"]);
		asked.length = 0;
		looks = 2;
		// It began before the move.
		expect(await search()).toEqual(["kept", "moved"]);
		expect(asked.filter((sql) => sql.includes("document_tags"))).toEqual([]);
		expect(await search()).toEqual(["kept"]);
		await partition.settle();
	} finally {
		context.close();
		await fixture.close();
	}
});

function visibleIds(db: Db, { containerTags: [tag], filepath }: Scope): readonly string[] {
	const sql = `SELECT c.id AS id FROM chunks c JOIN documents d ON d.id = c.document AND d.published_edition = c.edition
		WHERE EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk = c.id) AND (?1 IS NULL OR EXISTS (SELECT 1 FROM document_tags t WHERE t.document = d.id AND t.tag = ?1)) AND (?2 IS NULL OR d.filepath LIKE ?2 || '%')`;
	return db
		.query<{ id: string }, [string | null, string | null]>(sql)
		.all(tag ?? null, filepath)
		.map(({ id }) => id);
}

/** As the store does it: chunks are staged under an edition that is not published, and what is discarded is deleted later. */
function write(db: Db, { kind, which, count }: Act, known: Map<string, Vector>): void {
	const id = `document-${which}`;
	if (kind === "stage") stage(db, id, count, known, true);
	else if (kind === "stage bare") stage(db, id, count, known, false);
	else if (kind === "fill") fill(db, known);
	else if (kind === "publish") db.run("UPDATE documents SET published_edition = last_edition WHERE id = ? AND last_edition > 0", [id]);
	else if (kind === "move") tag(db, id, count % 2 === 0 ? "left" : "right");
	else if (kind === "file") db.run("UPDATE documents SET filepath = iif(filepath IS NULL, 'a/b', NULL) WHERE id = ?", [id]);
	else if (kind === "remove") {
		db.run("DELETE FROM documents WHERE id = ?", [id]);
		db.run("DELETE FROM document_tags WHERE document = ?", [id]);
	} else if (kind === "sweep") sweep(db);
	else db.run("UPDATE documents SET title = 'noted' WHERE id = ?", [id]);
}

function stage(db: Db, id: string, count: number, known: Map<string, Vector>, withVectors: boolean): void {
	if (db.query("SELECT 1 FROM documents WHERE id = ?").get(id) === null) {
		addDocuments(db, [{ id, isPublished: false, tags: [count % 2 === 0 ? "left" : "right"] }]);
		db.run("UPDATE documents SET last_edition = (SELECT coalesce(max(edition), 0) FROM chunks WHERE document = ?1) WHERE id = ?1", [id]);
	}
	db.run("UPDATE documents SET last_edition = last_edition + 1 WHERE id = ?", [id]);
	for (let position = 0; position < count; position++) {
		const vector = vectors[known.size % vectors.length] as Vector;
		const chunk = `chunk-${known.size}`;
		known.set(chunk, vector);
		db.run(
			`INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place)
			SELECT organisation, ?, id, 1, last_edition, ?, '', '{}' FROM documents WHERE id = ?`,
			[chunk, position, id],
		);
		if (withVectors) addVector(db, chunk, vector);
	}
}

function addVector(db: Db, chunk: string, vector: Vector): void {
	db.run("INSERT INTO chunk_vectors (organisation, space, chunk, vector) VALUES (?, ?, ?, ?)", [organisation, space.name, chunk, bytesOf(vector)]);
}

/** What was published without a vector gets it later, as when another embedder takes over. */
function fill(db: Db, known: ReadonlyMap<string, Vector>): void {
	const lacking = db.query<{ id: string }, []>("SELECT id FROM chunks WHERE id NOT IN (SELECT chunk FROM chunk_vectors)").all();
	for (const { id } of lacking) addVector(db, id, known.get(id) as Vector);
}

function tag(db: Db, id: string, name: string): void {
	if (db.query("SELECT 1 FROM documents WHERE id = ?").get(id) === null) return;
	db.run("DELETE FROM document_tags WHERE document = ?", [id]);
	db.run("INSERT INTO document_tags (organisation, tag, document) VALUES (?, ?, ?)", [organisation, name, id]);
	db.run("UPDATE documents SET container_tags = ? WHERE id = ?", [JSON.stringify([name]), id]);
}

function sweep(db: Db): void {
	const seen = "SELECT 1 FROM documents d WHERE d.id = chunks.document AND chunks.edition IN (d.published_edition, d.last_edition)";
	db.transaction(() => {
		db.run(`DELETE FROM chunk_vectors WHERE chunk IN (SELECT id FROM chunks WHERE NOT EXISTS (${seen}))`);
		db.run(`DELETE FROM chunks WHERE NOT EXISTS (${seen})`);
	})();
}

/** What is remembered of chunks never outlives what it says. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { ChunkRows, chunksByKey } from "../../../../plugins/stores/sqlite/chunk-rows.ts";
import { openReader } from "../../../../plugins/stores/sqlite/connection.ts";
import { dataVersion } from "../../../../plugins/stores/sqlite/vectors/vector-tables.ts";
import { addChunks, addDocuments, clusteredVectors, createFixture, type Fixture, organisation } from "./vector-fixture.ts";

let fixture: Fixture;
let db: Connection;
let read: number[][];
let rows: ChunkRows;

beforeEach(() => {
	fixture = createFixture();
	db = openReader(fixture.file);
	read = [];
	const source = chunksByKey(organisation);
	rows = new ChunkRows(organisation, {
		...source,
		read: (connection, keys) => {
			read.push([...keys]);
			return source.read(connection, keys);
		},
	});
	addDocuments(fixture.db, [{ id: "seen" }, { id: "hidden", isPublished: false }, { id: "seen", organisation: "org-b" }]);
	const [vector = new Float32Array(1)] = clusteredVectors(1, 1);
	addChunks(fixture.db, [
		{ id: "a", vector, document: "seen" },
		{ id: "b", vector, document: "hidden" },
		{ id: "c", vector, document: "seen", organisation: "org-b" },
	]);
});
afterEach(() => {
	db.close();
	fixture.close();
});

const known = (...keys: number[]) => rows.of(db, keys, dataVersion(db));
const shown = (...keys: number[]) => rows.published(db, known(...keys), dataVersion(db)).map(({ id }) => id);
const held = (...keys: number[]) => rows.existing(db, known(...keys), dataVersion(db)).map(({ id }) => id);

test("a chunk is read once, in the order that was asked for, and never one of another organisation", () => {
	expect(known(2, 1, 3, 99).map(({ id }) => id)).toEqual(["b", "a"]);
	expect(known(1, 2).map(({ id }) => id)).toEqual(["a", "b"]);
	expect(read).toEqual([[2, 1, 3, 99]]);
});

test("what is published is asked again after each commit", () => {
	expect(shown(1, 2)).toEqual(["a"]);
	fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
	expect(shown(1, 2)).toEqual(["a", "b"]);
	fixture.db.run("UPDATE documents SET published_edition = 2 WHERE id = 'hidden'");
	expect(shown(1, 2)).toEqual(["a"]);
	fixture.db.run("DELETE FROM documents WHERE id = 'seen'");
	expect(shown(1, 2)).toEqual([]);
});

test("what is published and still there is known without a look at the tables, until the next commit", () => {
	const both = (...keys: number[]) => rows.shown(db, keys, dataVersion(db)).map(({ id }) => id);
	expect(both(2, 1)).toEqual(["a"]);
	expect(both(1)).toEqual(["a"]);
	expect(read).toEqual([[2, 1]]);
	fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
	expect(both(1, 2)).toEqual(["a", "b"]);
	fixture.db.run("UPDATE documents SET published_edition = 2 WHERE id = 'hidden'");
	expect(both(1, 2)).toEqual(["a"]);
	fixture.db.run("DELETE FROM chunks WHERE id = 'a'");
	expect(both(1, 2)).toEqual([]);
});

test("after a commit only the documents are asked of that it has changed", () => {
	const asked: string[] = [];
	const seeing: Connection = {
		...db,
		statement: (sql) => {
			asked.push(sql);
			return db.statement(sql);
		},
	};
	const both = (...keys: number[]) => rows.shown(seeing, keys, dataVersion(db)).map(({ id }) => id);
	const [vector = new Float32Array(1)] = clusteredVectors(1, 1);
	expect(both(1, 2)).toEqual(["a"]);
	addDocuments(fixture.db, [{ id: "other" }]);
	addChunks(fixture.db, [{ id: "o", vector, document: "other" }]);
	asked.length = 0;
	expect(both(1, 2)).toEqual(["a"]);
	expect(asked.filter((sql) => sql.includes("json_each"))).toEqual([]);
	expect(both(1, 2, 4)).toEqual(["a", "o"]);
	fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
	expect(both(1, 2, 4)).toEqual(["a", "b", "o"]);
});

test("when the log of changes no longer has all, everything is asked again", () => {
	expect(shown(1, 2)).toEqual(["a"]);
	fixture.db.run("UPDATE documents SET published_edition = 1 WHERE id = 'hidden'");
	fixture.db.run("UPDATE documents SET filepath = 'x' WHERE id = 'seen'");
	fixture.db.run("DELETE FROM scope_changes WHERE sequence <= (SELECT sequence FROM scope_changes WHERE document = 'hidden')");
	expect(shown(1, 2)).toEqual(["a", "b"]);
	expect(held(1, 2)).toEqual(["a", "b"]);
	fixture.db.run("DELETE FROM chunks WHERE id IN ('a', 'b')");
	fixture.db.run("DELETE FROM text_changes");
	addDocuments(fixture.db, [{ id: "other" }]);
	expect(held(1, 2)).toEqual([]);
});

test("whether a chunk is still there is asked again after each commit", () => {
	expect(held(1, 2)).toEqual(["a", "b"]);
	fixture.db.run("DELETE FROM chunks WHERE id = 'a'");
	expect(held(1, 2)).toEqual(["b"]);
});

test("deleted chunks are dropped while others are read, though nobody asks for them again", () => {
	const [vector = new Float32Array(1)] = clusteredVectors(1, 1);
	addChunks(
		fixture.db,
		Array.from({ length: 40 }, (_, i) => ({ id: `later ${i}`, vector, document: "seen" })),
	);
	known(1, 2);
	fixture.db.run("DELETE FROM chunks WHERE id = 'a'");
	for (let key = 4; key < 44; key++) known(key);
	read = [];
	expect(known(2, 1, 43, 20).map(({ id }) => id)).toEqual(["b", "later 39", "later 16"]);
	expect(read).toEqual([[1]]);
});

/** A chunk's vector is looked up by the id of the chunk once, and by its key ever after. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { openReader } from "../../../../plugins/stores/sqlite/connection.ts";
import { OwnerKeys } from "../../../../plugins/stores/sqlite/vectors/published-vectors.ts";
import { addChunks, addDocuments, clusteredVectors, createFixture, type Fixture, organisation, space } from "./vector-fixture.ts";

let fixture: Fixture;
let db: Connection;
let statements: number;
let keys: OwnerKeys;

beforeEach(() => {
	fixture = createFixture();
	const connection = openReader(fixture.file);
	statements = 0;
	db = {
		...connection,
		statement: (sql) => {
			statements += 1;
			return connection.statement(sql);
		},
	};
	keys = new OwnerKeys({ kind: "chunk", organisation, space });
	const [vector = new Float32Array(1)] = clusteredVectors(1, 1);
	addDocuments(fixture.db, [{ id: "doc" }]);
	addChunks(fixture.db, [
		{ id: "a", vector },
		{ id: "b", vector },
		{ id: "c", vector, organisation: "org-b" },
		{ id: "d", vector, space: "another" },
	]);
});
afterEach(async () => {
	db.close();
	await fixture.close();
});

test("what is known is not asked for again, and what is of others is not known", () => {
	expect([...keys.of(db, ["b", "a", "c", "d", "e"])]).toEqual([
		["b", 2],
		["a", 1],
	]);
	expect([...keys.of(db, ["a"]).values()]).toEqual([1]);
	expect(statements).toBe(1);
	keys.of(db, ["c"]);
	expect(statements).toBe(2);
});

test("what was looked up anew has its new key, or none", () => {
	keys.of(db, ["a", "b"]);
	fixture.db.run("UPDATE chunk_vectors SET key = 77 WHERE chunk = 'a'");
	fixture.db.run("DELETE FROM chunk_vectors WHERE chunk = 'b'");
	keys.lookUp(db, ["a", "b"]);
	expect([...keys.of(db, ["a", "b"])]).toEqual([["a", 77]]);
});

/** A chunk's vector is looked up by the id of the chunk once, and by its key ever after. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { openReader } from "../../../../plugins/stores/sqlite/connection.ts";
import { keysOfChunks, lookUpKeys } from "../../../../plugins/stores/sqlite/vectors/published-vectors.ts";
import { addChunks, addDocuments, clusteredVectors, createFixture, type Fixture, organisation, space } from "./vector-fixture.ts";

let fixture: Fixture;
let db: Connection;
let statements: number;
let known: Parameters<typeof keysOfChunks>[1];

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
	known = { ownerKeys: new Map(), address: { kind: "chunk", organisation, space }, context: { db: () => db } };
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
	expect([...keysOfChunks(["b", "a", "c", "d", "e"], known)]).toEqual([
		["b", 2],
		["a", 1],
	]);
	expect([...keysOfChunks(["a"], known).values()]).toEqual([1]);
	expect(statements).toBe(1);
	keysOfChunks(["c"], known);
	expect(statements).toBe(2);
});

test("what was looked up anew has its new key, or none", () => {
	keysOfChunks(["a", "b"], known);
	fixture.db.run("UPDATE chunk_vectors SET key = 77 WHERE chunk = 'a'");
	fixture.db.run("DELETE FROM chunk_vectors WHERE chunk = 'b'");
	lookUpKeys(["a", "b"], known);
	expect([...keysOfChunks(["a", "b"], known)]).toEqual([["a", 77]]);
});

/** The migration of folders in which everything extended everything, and in which failed documents were dreaming for ever. */

import { expect, test } from "bun:test";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

const before = migrations.findIndex(({ name }) => name === "0014_fewer_edges");

function older(): Connection {
	const connection = openWriter(":memory:");
	migrate(connection, migrations.slice(0, before));
	return connection;
}

function addMemory({ db }: Connection, id: string, createdAt: number, isForgotten = 0, isLatest = 1): void {
	const sql = `INSERT INTO memories (organisation, id, container_tag, text, is_static, is_inference, confidence, version, is_latest, is_forgotten, metadata, created_at, updated_at)
		VALUES ('org', ?, 't', 'x', 0, 0, 1, 1, ?, ?, '{}', ?, ?)`;
	db.query(sql).run(id, isLatest, isForgotten, createdAt, createdAt);
}

function addEdge({ db }: Connection, source: string, relation: string, target: string): void {
	db.query("INSERT INTO memory_edges (organisation, source, target, relation) VALUES ('org', ?, ?, ?)").run(source, target, relation);
}

test("a memory keeps three that it extends, current ones first and then the newest, and every other edge", () => {
	const connection = older();
	for (const [i, id] of ["a", "b", "c", "d", "e", "f"].entries()) addMemory(connection, id, i, id === "f" ? 1 : 0, id === "e" ? 0 : 1);
	addMemory(connection, "hub", 100);
	addMemory(connection, "pair", 101);
	for (const target of ["a", "b", "c", "d", "e", "f"]) for (const relation of ["extends", "updates", "derives"]) addEdge(connection, "hub", relation, target);
	for (const target of ["e", "hub"]) addEdge(connection, "pair", "extends", target);
	addEdge(connection, "hub", "extends", "gone");
	migrate(connection, migrations);
	const of = (source: string, relation: string) =>
		connection.db
			.query<{ target: string; at: number }, [string, string]>("SELECT target, created_at AS at FROM memory_edges WHERE source = ? AND relation = ? ORDER BY 1")
			.all(source, relation);
	expect(of("hub", "extends")).toEqual(["b", "c", "d"].map((target) => ({ target, at: 100 })));
	for (const relation of ["updates", "derives"])
		expect(
			of("hub", relation)
				.map(({ target }) => target)
				.join(""),
		).toBe("abcdef");
	expect(of("pair", "extends")).toEqual(["e", "hub"].map((target) => ({ target, at: 101 })));
	connection.close();
});

test("documents that have failed are not dreaming any more, nobody is told that they were remembered, and recordings have their type", () => {
	const connection = older();
	const { db } = connection;
	const add = (id: string, status: string, claimed: string) =>
		db
			.query(`INSERT INTO documents (organisation, id, content, container_tags, metadata, task_type, dreaming, status, dreaming_status, revision, type, remarks, created_at, updated_at)
				VALUES ('org', ?, ?, '[]', '{}', 'memory', 'dynamic', ?, 'dreaming', 1, 'text', '[]', 1, 1)`)
			.run(id, JSON.stringify({ kind: "file", claimedMediaType: claimed }), status);
	add("song", "failed", "audio/mpeg");
	add("film", "failed", "video/mp4");
	add("note", "failed", "text/plain");
	add("later", "queued", "audio/mpeg");
	const told = () => db.query<{ n: number }, []>("SELECT count(*) AS n FROM events WHERE type = 'document.dreamed'").get()?.n;
	migrate(connection, migrations);
	expect(db.query("SELECT id, type, dreaming_status AS dreaming FROM documents ORDER BY id").all()).toEqual([
		{ id: "film", type: "video", dreaming: "done" },
		{ id: "later", type: "text", dreaming: "dreaming" },
		{ id: "note", type: "text", dreaming: "done" },
		{ id: "song", type: "audio", dreaming: "done" },
	]);
	expect(told()).toBe(0);
	db.run("UPDATE documents SET dreaming_status = 'done' WHERE id = 'later'");
	expect(told()).toBe(1);
	connection.close();
});

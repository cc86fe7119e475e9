/** Migrations: applied once, never behind a newer version's back, and in step with the Drizzle tables. */

import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations, outdatedSchema } from "../../../../plugins/stores/sql/migrations.ts";
import * as schema from "../../../../plugins/stores/sql/schema.ts";
import { sqlStorage } from "../../../../plugins/stores/sql/storage.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));

function inMemory(): Connection {
	return openWriter(":memory:");
}

test("migrating twice changes nothing the second time", () => {
	const connection = inMemory();
	expect(migrate(connection, migrations)).toBe(migrations.length);
	expect(migrate(connection, migrations)).toBe(0);
});

test("a later migration is applied to what is there", () => {
	const connection = inMemory();
	migrate(connection, migrations);
	const more = [...migrations, { name: "9999_more", sql: "CREATE TABLE more (id TEXT)" }];
	expect(migrate(connection, more)).toBe(1);
	expect(connection.db.query("SELECT count(*) AS n FROM more").get()).toEqual({ n: 0 });
});

test("a folder of a newer version is refused", () => {
	const connection = inMemory();
	migrate(connection, [...migrations, { name: "9999_more", sql: "CREATE TABLE more (id TEXT)" }]);
	expect(() => migrate(connection, migrations)).toThrow(expect.objectContaining({ code: "STORAGE_NEWER" }));
});

test("a migration that was applied in another wording is refused", () => {
	const connection = inMemory();
	migrate(connection, migrations);
	const changed = migrations.map((migration, i) => (i === 0 ? { ...migration, sql: `${migration.sql}\n-- changed` } : migration));
	expect(() => migrate(connection, changed)).toThrow(expect.objectContaining({ code: "STORAGE_UNREACHABLE" }));
});

test("a migration that fails leaves nothing behind", () => {
	const connection = inMemory();
	expect(() => migrate(connection, [{ name: "0000_bad", sql: "CREATE TABLE good (id TEXT); CREATE TABLE bad (" }])).toThrow();
	expect(connection.db.query("SELECT name FROM sqlite_master WHERE name = 'good'").all()).toEqual([]);
	expect(migrate(connection, migrations)).toBe(migrations.length);
});

test("when one of several fails, or the process ends between them, none of them is applied", () => {
	const connection = inMemory();
	const before = migrations.slice(0, 14);
	migrate(connection, before);
	expect(() => migrate(connection, [...migrations, { name: "9999_bad", sql: "CREATE TABLE bad (" }])).toThrow();
	expect(outdatedSchema(connection, migrations)).toBe(14);
	expect(migrate(connection, before)).toBe(0);
	expect(migrate(connection, migrations)).toBe(migrations.length - 14);
});

test("from every earlier schema the upgrade ends with the tables of a new folder, and with the rows that were there", () => {
	const fresh = schemaOf(migrated());
	for (let count = 1; count < migrations.length; count++) {
		const connection = inMemory();
		migrate(connection, migrations.slice(0, count));
		const kept = ["organisations", "api_keys", "documents", "document_texts", "chunks", "memories", "memory_vectors", "memory_evidence"];
		for (const table of kept) addRow(connection, table);
		expect([count, migrate(connection, migrations)]).toEqual([count, migrations.length - count]);
		expect([count, schemaOf(connection)]).toEqual([count, fresh]);
		expect(kept.map((table) => connection.db.query(`SELECT count(*) AS n FROM ${table}`).get())).toEqual(kept.map(() => ({ n: 1 })));
		expect(connection.db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	}
}, 60_000);

test("the schema is outdated when an older version wrote it, and in no other case", () => {
	const connection = inMemory();
	expect(outdatedSchema(connection, migrations)).toBeNull();
	migrate(connection, []);
	expect(outdatedSchema(connection, migrations)).toBeNull();
	migrate(connection, migrations.slice(0, 3));
	expect(outdatedSchema(connection, migrations)).toBe(3);
	migrate(connection, migrations);
	expect(outdatedSchema(connection, migrations)).toBeNull();
	expect(outdatedSchema(connection, migrations.slice(0, 3))).toBeNull();
});

test("a storage says which schema it will upgrade, before it does; if that is refused, nothing is changed", async () => {
	const connection = inMemory();
	migrate(connection, migrations.slice(0, 14));
	const storage = sqlStorage({ name: "test", supports: { manyWriters: false, durable: true }, connection, now: () => new Date() });
	const refused = await storage.migrate(() => Promise.reject(new Error("no room"))).catch((thrown: Error) => thrown.message);
	expect([refused, outdatedSchema(connection, migrations)]).toEqual(["no room", 14]);
	const asked: number[] = [];
	for (let i = 0; i < 2; i++) await storage.migrate(async (schema) => void asked.push(schema));
	expect([asked, outdatedSchema(connection, migrations)]).toEqual([[14], null]);
});

test("the Drizzle tables have the columns of the migrated ones", () => {
	const { db } = migrated();
	expect(tables.length).toBeGreaterThan(10);
	for (const table of tables) {
		const name = getTableName(table);
		const actual = db.query<{ name: string; type: string; notnull: number; pk: number }, []>(`PRAGMA table_info(${name})`).all();
		const wanted = Object.values(getTableColumns(table));
		expect(actual.map((column) => column.name)).toEqual(wanted.map((column) => column.name));
		expect(actual.map(({ type }) => type.toLowerCase())).toEqual(wanted.map((column) => column.getSQLType()));
		expect(actual.map(({ notnull, pk }) => notnull === 1 || pk > 0)).toEqual(wanted.map(({ notNull, primary }) => notNull || primary));
	}
});

test("every identity begins with the organisation", () => {
	const { db } = migrated();
	// Which space answers is the server's own affair.
	for (const table of tables.map(getTableName).filter((name) => name !== "organisations" && name !== "space_state"))
		expect([table, identityStart(db, table)]).toEqual([table, "organisation"]);
});

/** The first column of the primary key or, where that is a row number, of the unique index beside it. */
function identityStart(db: Database, table: string): string | undefined {
	const sql = `SELECT c.name, i.origin FROM pragma_index_list(?) i JOIN pragma_index_info(i.name) c ON c.seqno = 0
		WHERE i."unique" = 1 AND i.partial = 0 AND c.name <> 'hash' ORDER BY i.origin = 'pk' DESC`;
	return db.query<{ name: string }, [string]>(sql).get(table)?.name;
}

function migrated(): Connection {
	const connection = inMemory();
	migrate(connection, migrations);
	return connection;
}

test("what organisations had stored before it was counted is counted by the upgrade", () => {
	const connection = inMemory();
	migrate(connection, migrations.slice(0, 25));
	const columns =
		"organisation, id, content, container_tags, metadata, task_type, dreaming, status, dreaming_status, revision, type, remarks, created_at, updated_at";
	const insert = (organisation: string, id: string, content: object, text: string | null) => {
		connection.db
			.query(`INSERT INTO documents (${columns}) VALUES (?, ?, ?, '[]', '{}', 'memory', 'instant', 'done', 'done', 1, 'text', '[]', 0, 0)`)
			.run(organisation, id, JSON.stringify(content));
		connection.db.query("INSERT INTO document_texts (organisation, document, content) VALUES (?, ?, ?)").run(organisation, id, text);
	};
	insert("a", "1", { kind: "text", text: "" }, "fünf");
	insert("a", "2", { kind: "file", byteLength: 100 }, null);
	insert("b", "1", { kind: "address", url: "https://a.example/" }, null);
	expect(migrate(connection, migrations)).toBe(migrations.length - 25);
	const counted = () => connection.db.query("SELECT * FROM organisation_usage ORDER BY organisation").all();
	expect(counted()).toEqual([
		{ organisation: "a", documents: 2, bytes: 105 },
		{ organisation: "b", documents: 1, bytes: 0 },
	]);
	connection.db.query("DELETE FROM documents WHERE organisation = 'a' AND id = '2'").run();
	expect(counted()[0]).toEqual({ organisation: "a", documents: 1, bytes: 5 });
});

/** Everything that makes the tables: a column that was added later stands at the end of a statement in other words, so columns are compared by name. */
function schemaOf({ db }: Connection): readonly unknown[] {
	const names = db.query<{ type: string; name: string }, []>("SELECT type, name FROM sqlite_schema ORDER BY type, name").all();
	return names.map(({ type, name }) => [
		type,
		name,
		type === "table" ? db.query(`SELECT name, type, "notnull", pk FROM pragma_table_info(?)`).all(name) : null,
	]);
}

/** A row in a table of whatever schema. */
function addRow({ db }: Connection, table: string): void {
	const columns = db.query<{ name: string; type: string }, []>(`PRAGMA table_info(${table})`).all();
	const values = columns.map(({ name, type }) => {
		if (type === "BLOB") return new Uint8Array(4);
		if (type !== "TEXT") return 1;
		return name === "id" || name === "organisation" ? "a" : "{}";
	});
	db.run(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(", ")})`, values);
}

/** Checksums of what users stored: a bit that changes in any of the values is found. */

import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import * as schema from "../../../../plugins/stores/sql/schema.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { databaseFile } from "../../../../plugins/stores/sqlite/files/database-file.ts";
import { inspect, openForInspection } from "../../../../plugins/stores/sqlite/files/inspect.ts";
import { emptyLog } from "../../../../plugins/stores/sqlite/writer/checkpoint.ts";

/** Tables that hold nothing of what users stored, or repeat it for a while. */
const withoutValues: Readonly<Record<string, string>> = {
	organisation_usage: "counted from the documents",
	discarded_editions: "what is still to be deleted",
	jobs: "the queue: what it names is looked up again",
	space_state: "which embedder is in use",
	text_changes: "a log for indexes",
	scope_changes: "a log for indexes",
	memory_moves: "a log for indexes",
	memory_returns: "a log for indexes",
	events: "what happened within the last week",
};
/** Columns about work that is under way or is done again, in no index for all rows. */
const ofWork = "documents.staged_revision documents.staged_edition documents.last_edition documents.progress documents.extracted_by memories.sorting".split(
	" ",
);

const tables = Object.values(schema)
	.filter((value) => is(value, SQLiteTable))
	.filter((table) => withoutValues[getTableName(table)] === undefined);

function migrated(file: string): Connection {
	const opened = openWriter(file);
	migrate(opened, migrations);
	return opened;
}

test("every column with a value of users is in an index, itself or in a checksum", () => {
	const { statement } = migrated(":memory:");
	for (const table of tables) {
		const name = getTableName(table);
		const hasRowid = statement<{ wr: number }>(`PRAGMA table_list(${name})`).get()?.wr === 0;
		const indexes = statement<{ name: string; origin: string }>(`PRAGMA index_list(${name})`).all();
		const held = indexes
			.filter(({ origin }) => hasRowid || origin !== "pk")
			.flatMap((index) => {
				const sql = statement<{ sql: string | null }>("SELECT sql FROM sqlite_schema WHERE name = ?").get(index.name)?.sql ?? "";
				const summed = /checksum\(([^)]*)\)/.exec(sql)?.[1]?.split(",") ?? [];
				return [
					...statement<{ name: string | null }>(`PRAGMA index_xinfo(${index.name})`)
						.all()
						.map((column) => column.name),
					...summed.map((column) => column.trim()),
				];
			});
		const columns = Object.values(getTableColumns(table)).map((column) => column.name);
		const missing = columns.filter((column) => column !== "key" && !held.includes(column) && !ofWork.includes(`${name}.${column}`));
		expect([name, missing]).toEqual([name, []]);
	}
});

test("a bit that changes in any value is found", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-checksums-"));
	try {
		const file = databaseFile(folder);
		const opened = migrated(file);
		const marks = fill(opened);
		emptyLog(opened);
		opened.close();
		expect((await inspect(folder)).faults).toEqual([]);
		const bytes = await readFile(file);
		const tableOf = pagesOf(file);
		const unseen: string[] = [];
		for (const [column, mark] of marks)
			for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
				const table = tableOf(at);
				if (withoutValues[table] !== undefined || ofWork.includes(column)) continue;
				bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 4;
				await writeFile(file, bytes);
				bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 4;
				if ((await inspect(folder)).faults.length === 0) unseen.push(`${column} in ${table}`);
			}
		expect(unseen).toEqual([]);
	} finally {
		await rm(folder, { recursive: true });
	}
}, 60_000);

/** A row in every table, each text and vector with a mark of its own. @returns the marks by column */
function fill({ statement }: Connection): ReadonlyMap<string, Buffer> {
	const marks = new Map<string, Buffer>();
	for (const table of tables) {
		const name = getTableName(table);
		const values = Object.values(getTableColumns(table)).map((column) => {
			if (column.name === "organisation" || (name === "organisations" && column.name === "id")) return "the organisation";
			if (column.dataType === "number" || column.dataType === "date" || column.dataType === "boolean") return 1;
			const mark = `mark${marks.size}of${name}${column.name}`;
			marks.set(`${name}.${column.name}`, Buffer.from(mark));
			if (column.dataType === "buffer" || column.getSQLType() === "blob") return Buffer.from(mark);
			return /tags|quotas|reach|endpoints|limit|paths|buckets|content|metadata|about|value|row|memories|remarks/.test(column.name)
				? JSON.stringify([mark])
				: mark;
		});
		statement(`INSERT INTO ${name} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
	}
	return marks;
}

/** Which table or index a byte of the file belongs to. */
function pagesOf(file: string): (at: number) => string {
	const { statement, close } = openForInspection(file);
	const pages = new Map(
		statement<{ page: number; name: string }>("SELECT pageno AS page, name FROM dbstat")
			.all()
			.map(({ page, name }) => [page, name]),
	);
	const { page_size: bytes = 1 } = statement<{ page_size: number }>("PRAGMA page_size").get() ?? {};
	close();
	return (at) => pages.get(Math.floor(at / bytes) + 1) ?? "no table";
}

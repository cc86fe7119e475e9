/** What two data folders hold, read by nothing that moves rows. */

import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Tables that a store makes for itself. */
const own = new Set(["migrations", "upkeep"]);

/** Every table with its rows, the numbers that were given out, and the statements that made tables, indexes and triggers. */
export function contentsIn(folder: string): Readonly<Record<string, readonly string[]>> {
	const database = new Database(join(folder, "sqlite", "cairn.sqlite"), { readonly: true });
	try {
		const rowsOf = (sql: string) =>
			database
				.query(sql)
				.values()
				.map((row) => JSON.stringify(row.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : cell))))
				.toSorted();
		const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").all();
		const contents = tables.flatMap(({ name }) => (own.has(name) ? [] : [[name, rowsOf(`SELECT * FROM ${name}`)] as const]));
		// In which order they were added is seen in lists.
		const orders = ["documents", "records", "removed_documents"].map((name) => [`rowid of ${name}`, rowsOf(`SELECT rowid, * FROM ${name}`)] as const);
		return {
			...Object.fromEntries([...contents, ...orders]),
			numbers: rowsOf("SELECT * FROM sqlite_sequence WHERE seq > 0"),
			schema: rowsOf("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"),
		};
	} finally {
		database.close();
	}
}

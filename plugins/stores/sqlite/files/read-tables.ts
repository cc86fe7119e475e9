/** Every row of every table, read one after the other: whoever looks for what was deleted learns in which table it is. */

import type { StoredTable } from "cairn-memory/stores";
import type { Connection } from "../../sql/bun-connection.ts";
import { databaseFile } from "./database-file.ts";
import { openForInspection } from "./inspect.ts";

/** Tables that SQLite makes itself, of indexes of words for example, are among them; those without rows of their own are not. */
const namesSql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name";

/** @param folder of the storage. */
export async function* readTables(folder: string): AsyncGenerator<StoredTable> {
	const opened = openForInspection(databaseFile(folder));
	try {
		for (const { name } of opened.statement<{ readonly name: string }>(namesSql).all()) yield { name, values: valuesOf(opened, name) };
	} finally {
		opened.close();
	}
}

async function* valuesOf({ statement }: Connection, table: string): AsyncGenerator<Uint8Array> {
	for (const row of statement<object>(`SELECT * FROM "${table.replaceAll('"', '""')}"`).iterate())
		for (const value of Object.values(row)) if (value !== null) yield value instanceof Uint8Array ? value : Buffer.from(String(value));
}

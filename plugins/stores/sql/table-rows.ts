/** SQL that follows from the Drizzle tables, for statements that are prepared once: column lists and inserts. */

import type { SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "../sqlite/connection.ts";

/** `d.custom_id AS "customId", …`: a row then has the properties of the table's `$inferSelect`. */
export function columnList(table: SQLiteTable, alias: string): string {
	return Object.entries(getTableColumns(table))
		.map(([property, { name }]) => `${alias}.${name} AS "${property}"`)
		.join(", ");
}

/** Inserts rows of a table. What a row leaves out is NULL. @returns the row's number. */
export function inserter<Table extends SQLiteTable>({ statement }: Connection, table: Table): (row: Table["$inferInsert"]) => number {
	const columns = Object.entries(getTableColumns(table));
	const names = columns.map(([, { name }]) => name).join(", ");
	const sql = `INSERT INTO ${getTableName(table)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
	const properties = columns.map(([property]) => property);
	return (row) => {
		const values: Readonly<Record<string, unknown>> = row;
		// The tables hold texts, numbers and bytes only.
		const { lastInsertRowid } = statement(sql).run(...properties.map((property) => (values[property] ?? null) as SQLQueryBindings));
		return Number(lastInsertRowid);
	};
}

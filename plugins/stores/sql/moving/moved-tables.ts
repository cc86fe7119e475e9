/** What moves to another storage: all tables of the schema. What is not there is derived from them, or belongs to one engine. */

import { getTableName } from "drizzle-orm/table";
import { getTableColumns } from "drizzle-orm/utils";
import * as schema from "../schema.ts";

export interface MovedColumn {
	readonly name: string;
	readonly type: "text" | "integer" | "real" | "blob";
}

export interface MovedTable {
	readonly name: string;
	readonly columns: readonly MovedColumn[];
	/** The column whose numbers the database gives out, and never twice; null if there is none. */
	readonly numbered: string | null;
}

/** Rows of these are also listed in the order in which they were added: SQLite numbers them by itself. */
const inOrderOfRows: ReadonlySet<string> = new Set(["documents", "jobs", "records", "removed_documents"]);

export const movedTables: readonly MovedTable[] = Object.values(schema).map((table) => {
	const name = getTableName(table);
	const columns = Object.values(getTableColumns(table)).map((column) => ({ name: column.name, type: column.getSQLType() as MovedColumn["type"], column }));
	const own = columns.find(({ column }) => column.primary && column.notNull && "autoIncrement" in column && column.autoIncrement === true);
	const isInOrder = inOrderOfRows.has(name);
	return {
		name,
		columns: [
			...columns.map(({ name: columnName, type }) => ({ name: columnName, type })),
			...(isInOrder ? [{ name: "rowid", type: "integer" } as const] : []),
		],
		numbered: own?.name ?? (isInOrder ? "rowid" : null),
	};
});

const byName = new Map(movedTables.map((table) => [table.name, table]));

export function movedTable(name: string): MovedTable {
	const table = byName.get(name);
	if (table === undefined) throw new Error(`there is no table ${name} that moves`);
	return table;
}

/** Every name is quoted, because some are words of SQL. */
export function columnNames({ columns }: MovedTable, alias = ""): string {
	return columns.map(({ name }) => `${alias}"${name}"`).join(", ");
}

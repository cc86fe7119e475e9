/** SQL that follows from the Drizzle tables, for statements that are prepared once: column lists, inserts, updates, and rows as values. */

import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Binding, Executor } from "./executor.ts";

/** `d.custom_id AS "customId", …`: a row then has the properties of the table's `$inferSelect`. */
export function columnList(table: SQLiteTable, alias: string): string {
	return Object.entries(getTableColumns(table))
		.map(([property, { name }]) => `${alias}.${name} AS "${property}"`)
		.join(", ");
}

/** Inserts rows of a table. What a row leaves out is NULL. @param where what to do where such a row is there already */
export function inserter<Table extends SQLiteTable>(
	{ statement }: Pick<Executor, "statement">,
	table: Table,
	where: "" | " OR IGNORE" = "",
): (row: Table["$inferInsert"]) => void {
	const columns = Object.entries(getTableColumns(table));
	const names = columns.map(([, { name }]) => name).join(", ");
	const sql = `INSERT${where} INTO ${getTableName(table)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
	const codes = columns.map(([property, { dataType }]) => ({ property, encode: codeOf(dataType)?.encode }));
	return (row) => {
		const values: Readonly<Record<string, unknown>> = row;
		statement(sql).run(...codes.map(({ property, encode }) => encoded(values[property], encode)));
	};
}

/** The middle of an UPDATE of those columns that a change names. */
export function setOf<Table extends SQLiteTable>(table: Table, change: Partial<Table["$inferInsert"]>): { readonly sql: string; readonly params: Binding[] } {
	const columns = getTableColumns(table);
	const named = Object.entries(change).flatMap(([property, value]) => {
		const column = columns[property];
		return column === undefined || value === undefined ? [] : [{ sql: `${column.name} = ?`, param: encoded(value, codeOf(column.dataType)?.encode) }];
	});
	return { sql: named.map(({ sql }) => sql).join(", "), params: named.map(({ param }) => param) };
}

/** Rows as `columnList` has them → values of the table, with its times, lists and truth values. */
export function decoder<Table extends SQLiteTable>(table: Table): (row: unknown) => Table["$inferSelect"] {
	const decoders = Object.entries(getTableColumns(table)).flatMap(([property, { dataType }]) => {
		const decode = codeOf(dataType)?.decode;
		return decode === undefined ? [] : [{ property, decode }];
	});
	return (row) => {
		const value = { ...(row as Record<string, unknown>) };
		for (const { property, decode } of decoders) if (value[property] !== null) value[property] = decode(value[property]);
		return value as Table["$inferSelect"];
	};
}

interface Code {
	readonly encode: (value: unknown) => Binding;
	readonly decode: (stored: unknown) => unknown;
}

/** The tables hold texts, numbers and bytes only; of these kinds a column says in the schema that it stands for more. */
const codes: Readonly<Record<string, Code>> = {
	date: { encode: (value) => (value as Date).getTime(), decode: (stored) => new Date(stored as number) },
	boolean: { encode: Number, decode: (stored) => stored === 1 },
	json: { encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(stored as string) },
};

function codeOf(dataType: string): Code | undefined {
	return codes[dataType];
}

function encoded(value: unknown, encode: Code["encode"] | undefined): Binding {
	if (value === null || value === undefined) return null;
	return encode === undefined ? (value as Binding) : encode(value);
}

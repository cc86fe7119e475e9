/** Derives SQL from the Drizzle tables: column lists, inserts, updates, and the conversion of rows to values. */

import type { SQLiteTable } from "drizzle-orm/sqlite-core/table";
import { getTableName } from "drizzle-orm/table";
import { getTableColumns } from "drizzle-orm/utils";
import type { Binding, Program, SqlContext } from "./executor.ts";

/** `d.custom_id AS "customId", …`: a row then has the properties of the table's `$inferSelect`. */
export function columnList(table: SQLiteTable, alias: string): string {
	return Object.entries(getTableColumns(table))
		.map(([property, { name }]) => `${alias}.${name} AS "${property}"`)
		.join(", ");
}

/**
 * Returns a function that inserts rows of a table. A missing column is NULL, and a missing number of a row is given by the database.
 * @param conflict what to do if the row exists.
 */
export function inserter<Table extends SQLiteTable>(
	{ statement }: SqlContext,
	table: Table,
	conflict: "" | " ON CONFLICT DO NOTHING" = "",
): (row: Table["$inferInsert"]) => Program<unknown> {
	const columns = Object.entries(getTableColumns(table));
	const number = columns.find(([, { primary, dataType }]) => primary && dataType === "number")?.[0] ?? null;
	const insertion = (given: typeof columns) => ({
		sql: `INSERT INTO ${getTableName(table)} (${given.map(([, { name }]) => name).join(", ")}) VALUES (${given.map(() => "?").join(", ")})${conflict}`,
		encoders: given.map(([property, { dataType }]) => ({ property, encode: codecOf(dataType)?.encode })),
	});
	const whole = insertion(columns);
	const unnumbered = insertion(columns.filter(([property]) => property !== number));
	return (row) => {
		const values: Readonly<Record<string, unknown>> = row;
		const { sql, encoders } = number === null || values[number] === undefined ? unnumbered : whole;
		return statement(sql).run(...encoders.map(({ property, encode }) => encodeValue(values[property], encode)));
	};
}

/** A statement with more rows takes as long as two. A power of two, as the numbers of rows of all these statements, so that there are few. */
const rowsAtOnce = 64;

/** Returns a function that inserts rows of a table, many with one statement: over a network each statement is a way there and back. */
export function manyInserter<Table extends SQLiteTable>({ statement }: SqlContext, table: Table): (rows: readonly Table["$inferInsert"][]) => Program<void> {
	const columns = Object.entries(getTableColumns(table)).filter(([, { primary, dataType }]) => !(primary && dataType === "number"));
	const encoders = columns.map(([property, { dataType }]) => ({ property, encode: codecOf(dataType)?.encode }));
	const into = `INSERT INTO ${getTableName(table)} (${columns.map(([, { name }]) => name).join(", ")}) VALUES `;
	const values = `(${columns.map(() => "?").join(", ")})`;
	return function* (rows) {
		for (let start = 0, size = rowsAtOnce; start < rows.length; start += size) {
			while (size > rows.length - start) size /= 2;
			const part: readonly Readonly<Record<string, unknown>>[] = rows.slice(start, start + size);
			const params = part.flatMap((row) => encoders.map(({ property, encode }) => encodeValue(row[property], encode)));
			yield* statement(into + new Array(size).fill(values).join(", ")).run(...params);
		}
	};
}

/** The SET clause of an UPDATE with the columns of a change. */
export function setOf<Table extends SQLiteTable>(table: Table, change: Partial<Table["$inferInsert"]>): { readonly sql: string; readonly params: Binding[] } {
	const columns = getTableColumns(table);
	const assignments = Object.entries(change).flatMap(([property, value]) => {
		const column = columns[property];
		return column === undefined || value === undefined ? [] : [{ sql: `${column.name} = ?`, param: encodeValue(value, codecOf(column.dataType)?.encode) }];
	});
	return { sql: assignments.map(({ sql }) => sql).join(", "), params: assignments.map(({ param }) => param) };
}

/** Returns a function from a row selected by `columnList` to a value of the table, with dates, booleans and JSON decoded. */
export function decoder<Table extends SQLiteTable>(table: Table): (row: unknown) => Table["$inferSelect"] {
	const decoders = Object.entries(getTableColumns(table)).flatMap(([property, { dataType }]) => {
		const decode = codecOf(dataType)?.decode;
		return decode === undefined ? [] : [{ property, decode }];
	});
	return (row) => {
		const value = { ...(row as Record<string, unknown>) };
		for (const { property, decode } of decoders) if (value[property] !== null) value[property] = decode(value[property]);
		return value as Table["$inferSelect"];
	};
}

interface Codec {
	readonly encode: (value: unknown) => Binding;
	readonly decode: (stored: unknown) => unknown;
}

/** How column types that SQLite does not have are stored: tables only have strings, numbers and bytes. */
const codecs: Readonly<Record<string, Codec>> = {
	date: { encode: (value) => (value as Date).getTime(), decode: (stored) => new Date(stored as number) },
	boolean: { encode: Number, decode: (stored) => stored === 1 },
	json: { encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(stored as string) },
};

function codecOf(dataType: string): Codec | undefined {
	return codecs[dataType];
}

function encodeValue(value: unknown, encode: Codec["encode"] | undefined): Binding {
	if (value === null || value === undefined) return null;
	return encode === undefined ? (value as Binding) : encode(value);
}

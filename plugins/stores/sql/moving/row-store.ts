/** The source and the target of a move, for every SQL engine. */

import { fail } from "cairn-memory";
import type { Cell, LoggedWrite, Row, RowKey, RowPage, RowSource, RowTarget, SettledSource, TableReader } from "cairn-memory/stores";
import type { Binding } from "../executor.ts";
import { type Applied, type Migration, refuseOthers, unfinishedMove } from "../migrations.ts";
import { type MovedTable, movedTable, movedTables } from "./moved-tables.ts";

export type Found = Readonly<Record<string, Cell>>;
/** Runs a statement in the dialect of `plugins/stores/sql`. */
export type Ask = (sql: string, params?: readonly Binding[]) => Promise<readonly Found[]>;

export interface RowEngine {
	readonly ask: Ask;
	/** Runs a transaction that writes. */
	readonly write: <Result>(run: (ask: Ask) => Promise<Result>) => Promise<Result>;
	/** Runs reads on one state of the database. */
	readonly settled: <Result>(run: (ask: Ask) => Promise<Result>) => Promise<Result>;
	readonly hasTable: (ask: Ask, name: string) => Promise<boolean>;
	/** The columns of the primary key. */
	readonly keyOf: (ask: Ask, table: string) => Promise<readonly string[]>;
	/** At most `rowsPerPage` rows and not many more than `bytesPerPage`, but at least one if there is one. */
	readonly page: (ask: Ask, table: MovedTable, key: readonly string[], after: readonly Binding[] | null) => Promise<readonly Found[]>;
	readonly find: (ask: Ask, table: MovedTable, keys: readonly RowKey[]) => Promise<readonly Found[]>;
	readonly insert: (ask: Ask, table: MovedTable, rows: readonly Row[]) => Promise<void>;
	/** @returns the removed rows */
	readonly remove: (ask: Ask, table: MovedTable, keys: readonly RowKey[]) => Promise<readonly Found[]>;
	/** The last number that was given out. */
	readonly lastNumber: (ask: Ask, table: MovedTable) => Promise<number>;
	readonly setNumber: (ask: Ask, table: MovedTable, number: number) => Promise<void>;
	/** The type of a column that numbers rows, never giving out a number again. */
	readonly numberType: string;
	/** Statements after which writes of a table are logged; they may be run again. @param key which columns identify a row */
	readonly logWrites: (table: MovedTable, key: readonly string[]) => readonly string[];
	readonly stopLogging: (table: MovedTable) => readonly string[];
	readonly migrations: readonly Migration[];
	readonly migrate: () => Promise<void>;
	/** The triggers of a table keep silent, or run again. */
	readonly silence: (ask: Ask) => Promise<void>;
	readonly restore: (ask: Ask) => Promise<void>;
	/** Called between writes, and before the end. */
	readonly tidy: (isAtEnd: boolean) => Promise<void>;
	/** What was committed survives a loss of power. */
	readonly flush: () => Promise<void>;
	readonly close: () => Promise<void>;
}

export const rowsPerPage = 1_000;
export const bytesPerPage = 4 * 2 ** 20;

/** In the source: what was written since the move began, and which move that is. */
const logTable = "move_log";
const logOwner = "move_source";
/** In the target: how far the move has come. */
const noteTable = "move_progress";
/** Once the move has ended: its id. */
const endedNote = "ended";
/** The marker comes after every migration. */
const markerNumber = 1_000_000;

const appliedSql = "SELECT name, checksum FROM migrations ORDER BY number";

export async function rowSource(engine: RowEngine, isServed: () => Promise<boolean>): Promise<RowSource> {
	const { ask, write, hasTable } = engine;
	if (!(await hasTable(ask, "migrations"))) throw fail("COMMAND_INVALID", "there is nothing to move: the store has no tables");
	requireSame((await ask(appliedSql)) as unknown as readonly Applied[], engine.migrations, "start a server of this version with it once, which upgrades it");
	const keys = await keysOf(engine);

	const numbers = async (asked: Ask) => {
		const numbered = movedTables.filter((table) => table.numbered !== null);
		return Object.fromEntries(await inTurn(numbered, async (table) => [table.name, await engine.lastNumber(asked, table)] as const));
	};

	async function log(asked: Ask, after: number, limit: number): Promise<readonly LoggedWrite[]> {
		const rows = await asked(`SELECT number, name, row_key FROM ${logTable} WHERE number > ? ORDER BY number LIMIT ?`, [after, limit]);
		return rows.map(({ number, name, row_key }) => ({ number: Number(number), table: String(name), key: JSON.parse(String(row_key)) }));
	}

	return {
		...tableReader(engine, ask, keys),
		tables: movedTables.map(({ name }) => name),
		isServed,
		move: async () => ((await hasTable(ask, logOwner)) ? ((await ask(`SELECT id FROM ${logOwner}`)).map(({ id }) => String(id))[0] ?? null) : null),
		beginLog: async (move) => {
			await write(async (inside) => {
				await inside(`CREATE TABLE IF NOT EXISTS ${logTable} (number ${engine.numberType}, name TEXT NOT NULL, row_key TEXT NOT NULL)`);
				await inside(`CREATE TABLE IF NOT EXISTS ${logOwner} (id TEXT NOT NULL)`);
			});
			// One table at a time: a transaction that waits for the writers of one table holds no other table meanwhile.
			for (const table of movedTables)
				await write(async (inside) => {
					for (const sql of engine.logWrites(table, logKey(table, keys))) await inside(sql);
				});
			await write(async (inside) => {
				await inside(`DELETE FROM ${logOwner}`);
				await inside(`INSERT INTO ${logOwner} (id) VALUES (?)`, [move]);
			});
		},
		forget: async (numbersDone) => {
			for (let start = 0; start < numbersDone.length; start += rowsPerPage) {
				const part = JSON.stringify(numbersDone.slice(start, start + rowsPerPage));
				await write((inside) => inside(`DELETE FROM ${logTable} WHERE number IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`, [part]));
			}
		},
		endLog: async () => {
			for (const table of movedTables)
				await write(async (inside) => {
					for (const sql of engine.stopLogging(table)) await inside(sql);
				});
			await write(async (inside) => {
				for (const name of [logTable, logOwner]) await inside(`DROP TABLE IF EXISTS ${name}`);
			});
		},
		settled: (read) =>
			engine.settled((asked) => {
				const source: SettledSource = { ...tableReader(engine, asked, keys), log: (after, limit) => log(asked, after, limit), numbers: () => numbers(asked) };
				return read(source);
			}),
		close: engine.close,
	};
}

export async function rowTarget(engine: RowEngine): Promise<RowTarget> {
	const { ask, write, hasTable } = engine;

	const marker = async () => {
		const applied = (await ask(appliedSql)) as unknown as readonly Applied[];
		const mark = applied.find(({ name }) => name === unfinishedMove);
		if (mark === undefined) return null;
		const remedy = "go on with the version that began, or empty the target";
		requireSame(
			applied.filter(({ name }) => name !== unfinishedMove),
			engine.migrations,
			remedy,
		);
		return mark.checksum;
	};

	const hasMigrations = await hasTable(ask, "migrations");
	const own = hasMigrations ? await marker() : null;
	const noted = async (name: string) => {
		const [row] = await ask(`SELECT value FROM ${noteTable} WHERE name = ?`, [name]);
		return row === undefined ? null : String(row["value"]);
	};
	const filled = hasMigrations && own === null ? await filledTable(engine) : null;
	const ended = filled !== null && (await hasTable(ask, noteTable)) ? await noted(endedNote) : null;
	if (filled !== null && ended === null)
		throw fail("COMMAND_INVALID", `the target is not empty: its table ${filled} has rows, and they are not of an unfinished move`);
	let keys: Keys = own === null ? new Map() : await keysOf(engine);
	const reader = () => tableReader(engine, ask, keys);
	const note = "INSERT INTO move_progress (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

	return {
		count: (table) => reader().count(table),
		page: (table, after) => reader().page(table, after),
		find: (table, found) => reader().find(table, found),
		move: async () => own,
		ended: async () => ended,
		begin: async (move) => {
			if (own !== null) return;
			await engine.migrate();
			await write(async (inside) => {
				await inside("INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)", [markerNumber, unfinishedMove, move, Date.now()]);
				await engine.silence(inside);
				await inside("DELETE FROM space_state");
				await inside(`DROP TABLE IF EXISTS ${noteTable}`);
				await inside(`CREATE TABLE ${noteTable} (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)`);
			});
			keys = await keysOf(engine);
		},
		noted,
		add: async (table, rows, noted) => {
			await write(async (inside) => {
				if (rows.length > 0) await engine.insert(inside, movedTable(table), rows);
				if (noted !== null) await inside(note, [noted.name, noted.value]);
			});
			await engine.tidy(false);
		},
		remove: (table, gone) => write(async (inside) => rowsOf(movedTable(table), await engine.remove(inside, movedTable(table), gone))),
		settle: () => engine.tidy(true),
		flush: engine.flush,
		end: async (numbers) => {
			await write(async (inside) => {
				for (const table of movedTables) if (table.numbered !== null) await engine.setNumber(inside, table, numbers[table.name] ?? 0);
				// A server puts back jobs whose lease has expired.
				await inside("UPDATE jobs SET leased_until = 0 WHERE lease IS NOT NULL");
				await engine.restore(inside);
				await inside(`INSERT INTO ${noteTable} (name, value) SELECT '${endedNote}', checksum FROM migrations WHERE name = ?`, [unfinishedMove]);
				await inside("DELETE FROM migrations WHERE name = ?", [unfinishedMove]);
			});
		},
		forgetMove: () => write(async (inside) => void (await inside(`DROP TABLE ${noteTable}`))),
		close: engine.close,
	};
}

/** @returns the name of the first table with rows; null if all are empty */
async function filledTable({ ask, hasTable }: RowEngine): Promise<string | null> {
	for (const { name } of movedTables) {
		// The row of the spaces is there from the beginning.
		if (name === "space_state" || !(await hasTable(ask, name))) continue;
		if ((await ask(`SELECT 1 AS one FROM ${name} LIMIT 1`)).length > 0) return name;
	}
	return null;
}

type Keys = ReadonlyMap<string, readonly string[]>;

async function keysOf({ ask, keyOf }: RowEngine): Promise<Keys> {
	return new Map(await inTurn(movedTables, async ({ name }) => [name, await keyOf(ask, name)] as const));
}

/** Which columns the log names: with the organisation, by which other engines find a row. */
function logKey({ name, columns }: MovedTable, keys: Keys): readonly string[] {
	const hasOrganisation = columns.some((column) => column.name === "organisation");
	return [...new Set([...(hasOrganisation ? ["organisation"] : []), ...(keys.get(name) ?? [])])];
}

function tableReader(engine: RowEngine, ask: Ask, keys: Keys): TableReader {
	return {
		count: async (table) => Number((await ask(`SELECT count(*) AS count FROM ${movedTable(table).name}`))[0]?.["count"] ?? 0),
		page: async (name, after): Promise<RowPage> => {
			const table = movedTable(name);
			const key = keys.get(name) ?? [];
			const found = await engine.page(ask, table, key, after === null ? null : JSON.parse(after));
			const last = found.at(-1);
			return { rows: rowsOf(table, found), end: last === undefined ? null : JSON.stringify(key.map((column) => last[column])) };
		},
		find: async (name, wanted) => rowsOf(movedTable(name), await engine.find(ask, movedTable(name), wanted)),
	};
}

function rowsOf({ columns }: MovedTable, found: readonly Found[]): readonly Row[] {
	return found.map((row) => columns.map(({ name }) => row[name] ?? null));
}

function requireSame(applied: readonly Applied[], migrations: readonly Migration[], remedy: string): void {
	refuseOthers(applied, migrations);
	if (applied.length < migrations.length)
		throw fail("COMMAND_INVALID", `the tables are of an older version (schema ${applied.length}, this one has ${migrations.length}): ${remedy}`);
}

async function inTurn<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
	const results: Result[] = [];
	for (const item of items) results.push(await run(item));
	return results;
}

/** The rows as JSON, each an object. Bytes are base64. */
export function jsonRows(table: MovedTable, rows: readonly Row[]): string {
	return JSON.stringify(rows.map((row) => Object.fromEntries(table.columns.map(({ name }, i) => [name, jsonCell(row[i] ?? null)]))));
}

function jsonCell(cell: Cell): string | number | null {
	return cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString("base64") : cell;
}

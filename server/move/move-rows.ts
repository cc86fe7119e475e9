/**
 * Moves all rows of one storage to another, page by page. The source logs which rows are written from the beginning on. What the log names
 * is copied again, as it is at one moment, until nothing is left. Every step may be repeated, so a move goes on after a crash at any point.
 */

import { fail } from "../../core/errors/fail.ts";
import type { Row, RowKey, RowSource, RowTarget, SettledSource, TableReader } from "../../core/plugin/contract/row-tools.ts";
import { added, nothing, type Sum, subtracted, sumOf } from "./row-sums.ts";

/** By table. */
export type Sums = Readonly<Record<string, Sum>>;

export interface RowMove {
	readonly source: RowSource;
	readonly target: RowTarget;
	/** Called with the number of rows that are done, and of all. */
	readonly onProgress: (done: number, total: number) => void;
}

/** Rows of the log that are read at once. */
const writesPerPage = 5_000;
/** Rows that are found by their keys at once: a few megabytes, or of the longest texts some hundred. */
const rowsPerFind = 50;

/** Begins a move, or goes on with it. @throws ServiceError `COMMAND_INVALID` if the target is that of another move */
export async function beginMove({ source, target }: Pick<RowMove, "source" | "target">): Promise<void> {
	const [own, logged] = [await target.move(), await source.move()];
	if (own !== null && own !== logged)
		throw fail("COMMAND_INVALID", "the target has an unfinished move of another store, or of this one whose log was given up: empty it to begin anew");
	// It may have been interrupted before every table had its log.
	const move = own ?? crypto.randomUUID();
	await source.beginLog(move);
	await target.begin(move);
}

interface Reached {
	readonly end: string | null;
	readonly isWhole: boolean;
	readonly rows: number;
}

/** Copies every table that has not been copied, while the source may be written to. */
export async function copyTables({ source, target, onProgress }: RowMove): Promise<void> {
	let total = 0;
	for (const table of source.tables) total += await source.count(table);
	let done = 0;
	for (const table of source.tables) {
		let reached: Reached = JSON.parse((await target.noted(`copy ${table}`)) ?? '{"end":null,"isWhole":false,"rows":0}');
		done += reached.rows;
		while (!reached.isWhole) {
			const { rows, end } = await source.page(table, reached.end);
			reached = { end: end ?? reached.end, isWhole: end === null, rows: reached.rows + rows.length };
			await target.add(table, rows, { name: `copy ${table}`, value: JSON.stringify(reached) });
			done += rows.length;
			onProgress(Math.min(done, total), total);
		}
	}
}

/**
 * Copies what was written since, as it is at one moment. Rows are removed before any is added, so that none conflicts with one that has
 * gone or changed. If both sides were compared, what is copied is compared as well, and the sums stay right. @returns how many writes there were
 */
export async function catchUp({ source, target }: Pick<RowMove, "source" | "target">): Promise<number> {
	const before = await notedSums(target);
	const sums = before === null ? null : new Map(Object.entries(before));
	await noteSums(target, null);
	const done = await source.settled((settled) => applyLog(settled, target, sums));
	await target.flush();
	await source.forget(done);
	if (sums !== null) await noteSums(target, Object.fromEntries(sums));
	return done.length;
}

async function applyLog(settled: SettledSource, target: RowTarget, sums: Map<string, Sum> | null): Promise<readonly number[]> {
	const done: number[] = [];
	for await (const { numbers, table, keys } of loggedKeys(settled)) {
		const removed = await target.remove(table, keys);
		sums?.set(table, subtracted(sums.get(table) ?? nothing, sumOf(removed)));
		for (const number of numbers) done.push(number);
	}
	for await (const { table, keys } of loggedKeys(settled)) {
		// A row that an earlier page of the log has named is there already.
		const before = sums === null || done.length <= writesPerPage ? nothing : sumOf(await target.find(table, keys));
		const rows = await settled.find(table, keys);
		await target.add(table, rows, null);
		if (sums === null) continue;
		const [found, wanted] = [sumOf(await target.find(table, keys)), sumOf(rows)];
		if (!isSame(found, wanted)) throw differing(table, wanted, found);
		sums.set(table, added(sums.get(table) ?? nothing, subtracted(found, before)));
	}
	return done;
}

interface LoggedKeys {
	/** The writes that are done when these keys are. */
	readonly numbers: readonly number[];
	readonly table: string;
	readonly keys: readonly RowKey[];
}

/** What the log names, a few rows of one table at a time. */
async function* loggedKeys(settled: SettledSource): AsyncGenerator<LoggedKeys> {
	for (let after = 0; ; ) {
		const page = await settled.log(after, writesPerPage);
		for (const [table, writes] of Map.groupBy(page, (write) => write.table)) {
			// A job is written four times before it is done.
			const byKey = Map.groupBy(writes, ({ key }) => JSON.stringify(Object.entries(key)));
			const keys = [...byKey.values()].flatMap(([first]) => (first === undefined ? [] : [first.key]));
			for (let start = 0; start < keys.length; start += rowsPerFind)
				yield { numbers: start === 0 ? writes.map(({ number }) => number) : [], table, keys: keys.slice(start, start + rowsPerFind) };
		}
		const last = page.at(-1);
		if (last === undefined) return;
		after = last.number;
	}
}

/**
 * Copies what was written since, and compares every row of both sides as of that moment. The sums are noted, so that the end of the move
 * only has to compare what is written later. @throws ServiceError `STORAGE_DAMAGED` if a table differs
 */
export async function verifyTables({ source, target, onProgress }: RowMove): Promise<void> {
	await noteSums(target, null);
	const done = await source.settled(async (settled) => {
		const numbers = await applyLog(settled, target, null);
		const sums: Record<string, Sum> = {};
		let total = 0;
		for (const table of source.tables) total += await settled.count(table);
		let seen = 0;
		const onRows = (rows: number) => {
			seen += rows;
			onProgress(seen, total);
		};
		for (const table of source.tables) {
			const [wanted, found] = await Promise.all([tableSum(settled, table, onRows), tableSum(target, table)]);
			if (!isSame(wanted, found)) throw differing(table, wanted, found);
			sums[table] = found;
		}
		await noteSums(target, sums);
		return numbers;
	});
	await target.flush();
	await source.forget(done);
}

/** The sums of the last comparison; null if rows were copied since. */
export async function notedSums(target: Pick<RowTarget, "noted">): Promise<Sums | null> {
	return JSON.parse((await target.noted("sums")) ?? "null");
}

/** Null while rows are copied: after a crash nobody knows which of them the sums are of. */
async function noteSums(target: RowTarget, sums: Sums | null): Promise<void> {
	await target.add("organisations", [], { name: "sums", value: JSON.stringify(sums) });
}

async function tableSum(reader: TableReader, table: string, onRows: (rows: number) => void = () => undefined): Promise<Sum> {
	let sum = nothing;
	for (let after: string | null = null; ; ) {
		const { rows, end }: { readonly rows: readonly Row[]; readonly end: string | null } = await reader.page(table, after);
		sum = added(sum, sumOf(rows));
		onRows(rows.length);
		if (end === null) return sum;
		after = end;
	}
}

function isSame(left: Sum, right: Sum): boolean {
	return left.rows === right.rows && left.checksum === right.checksum;
}

function differing(table: string, wanted: Sum, found: Sum): Error {
	return fail(
		"STORAGE_DAMAGED",
		`the table ${table} has ${wanted.rows} rows with the checksum ${wanted.checksum} in the source, and ${found.rows} with ${found.checksum} in the target`,
	);
}

/**
 * The end: copies and compares the last writes, compares the counts of all tables, and makes the target a store that servers start on.
 * Nobody may write to the source. @returns the sums of all tables
 */
export async function endMove({ source, target }: Pick<RowMove, "source" | "target">): Promise<Sums> {
	const before = await notedSums(target);
	if (before === null) throw fail("COMMAND_INVALID", "the target was not compared with the source");
	const sums = new Map(Object.entries(before));
	await noteSums(target, null);
	const { done, numbers } = await source.settled(async (settled) => {
		const done = await applyLog(settled, target, sums);
		for (const table of source.tables) {
			const sum = sums.get(table) ?? nothing;
			const [wanted, found] = [await settled.count(table), await target.count(table)];
			if (wanted !== found || sum.rows !== found) throw differing(table, { ...sum, rows: wanted }, { ...sum, rows: found });
		}
		return { done, numbers: await settled.numbers() };
	});
	const ending: Ending = { sums: Object.fromEntries(sums), lastWrite: done.reduce((last, number) => Math.max(last, number), 0) };
	await target.add("organisations", [], { name: "ending", value: JSON.stringify(ending) });
	await target.end(numbers);
	await target.flush();
	await forgetMove({ source, target });
	return ending.sums;
}

/** What is noted at the end of a move. */
interface Ending {
	readonly sums: Sums;
	/** The number of the last write of the log that was copied. */
	readonly lastWrite: number;
}

/**
 * Frees the source of its log if the move was interrupted right after its target had become a store.
 *
 * @returns the sums of all tables; null if no move to the target has ended
 * @throws ServiceError `COMMAND_INVALID` if that was another move, or if the source was used since
 */
export async function finishEndedMove({ source, target }: Pick<RowMove, "source" | "target">): Promise<Sums | null> {
	const ended = await target.ended();
	if (ended === null) return null;
	const move = await source.move();
	if (move === null)
		throw fail("COMMAND_INVALID", "the target is not empty: a move to it has ended. If it was that of this store, start servers on the target");
	if (ended !== move) throw fail("COMMAND_INVALID", "the target is not empty: a move to it has ended");
	const { sums, lastWrite }: Ending = JSON.parse((await target.noted("ending")) ?? "null");
	const later = await source.settled(({ log }) => log(lastWrite, 1));
	if (later.length > 0 || (await source.isServed()))
		throw fail("COMMAND_INVALID", "the source was used after the move to this target had ended: cancel the move, and begin one to an empty target");
	await forgetMove({ source, target });
	return sums;
}

async function forgetMove({ source, target }: Pick<RowMove, "source" | "target">): Promise<void> {
	await source.endLog();
	await target.forgetMove();
}

/**
 * Reads and writes all rows of a storage without starting it, so that everything can move to another storage. The source may be in use
 * meanwhile: it logs which rows are written, and what the log names is copied again.
 */

import type { GivenOptions } from "../plugin-settings.ts";

export type Cell = string | number | null | Uint8Array<ArrayBuffer>;
/** The values of a row in the order of the table's columns, which is the same in every storage. */
export type Row = readonly Cell[];
/** The columns that identify a row, with their values. Two storages may use different ones. */
export type RowKey = Readonly<Record<string, string | number>>;

export interface RowTools {
	/** The name of the storage. */
	readonly storage: string;
	/** @throws ServiceError if there is nothing, or another version made it */
	readonly openSource: (place: RowPlace) => Promise<RowSource>;
	/** @throws ServiceError if it holds anything but the unfinished copy of this version */
	readonly openTarget: (place: RowPlace) => Promise<RowTarget>;
}

export interface RowPlace {
	/** The folder of the storage plugin. */
	readonly folder: string;
	/** The options of the storage plugin, validated. */
	readonly options: GivenOptions;
}

/** A part of a table, at most some megabytes. */
export interface RowPage {
	readonly rows: readonly Row[];
	/** Where the next page begins; null after the last one. */
	readonly end: string | null;
}

export interface TableReader {
	readonly count: (table: string) => Promise<number>;
	/** @param after `end` of the page before; null for the first page */
	readonly page: (table: string, after: string | null) => Promise<RowPage>;
	/** The rows that exist of those with these keys. */
	readonly find: (table: string, keys: readonly RowKey[]) => Promise<readonly Row[]>;
}

export interface LoggedWrite {
	readonly number: number;
	readonly table: string;
	readonly key: RowKey;
}

/** The state of the source at one moment. */
export interface SettledSource extends TableReader {
	/** What the log has, in the order of its numbers. @param after the last number of the part before */
	readonly log: (after: number, limit: number) => Promise<readonly LoggedWrite[]>;
	/** The last number that was given out, by table: it is never given out again. */
	readonly numbers: () => Promise<Readonly<Record<string, number>>>;
}

export interface RowSource extends TableReader {
	/** All tables with data. What is derived from them is left out. */
	readonly tables: readonly string[];
	/** Whether a server may be writing. */
	readonly isServed: () => Promise<boolean>;
	/** The move that the log is kept for; null if there is no log. */
	readonly move: () => Promise<string | null>;
	/** From now on every written row is logged. Nothing happens to a log that exists but that it is kept for this move. */
	readonly beginLog: (move: string) => Promise<void>;
	readonly forget: (numbers: readonly number[]) => Promise<void>;
	readonly endLog: () => Promise<void>;
	readonly settled: <Result>(read: (source: SettledSource) => Promise<Result>) => Promise<Result>;
	readonly close: () => Promise<void>;
}

export interface RowTarget extends TableReader {
	/** The unfinished move that it is the target of; null if it is empty. */
	readonly move: () => Promise<string | null>;
	/** The move to it that has ended, until `forgetMove`; null for none. */
	readonly ended: () => Promise<string | null>;
	/** Makes the tables. Until `end` no server starts on them. */
	readonly begin: (move: string) => Promise<void>;
	/** What was noted under this name; null if nothing was. */
	readonly noted: (name: string) => Promise<string | null>;
	/** Adds rows and notes how far the move has come, both or neither. Rows that conflict with others are left out. */
	readonly add: (table: string, rows: readonly Row[], note: { readonly name: string; readonly value: string } | null) => Promise<void>;
	/** @returns the removed rows */
	readonly remove: (table: string, keys: readonly RowKey[]) => Promise<readonly Row[]>;
	/** Prepares everything that takes time, so that `end` takes little. */
	readonly settle: () => Promise<void>;
	/** What was written so far survives a loss of power. */
	readonly flush: () => Promise<void>;
	/** Makes it a store that a server starts on. Leases of jobs expire at once. What was noted stays until `forgetMove`. */
	readonly end: (numbers: Readonly<Record<string, number>>) => Promise<void>;
	readonly forgetMove: () => Promise<void>;
	readonly close: () => Promise<void>;
}

/** Checks the database before it is opened: damage is reported in one sentence, and no new database is made in its place. */

import { accessSync, closeSync, constants, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, type ServiceError } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { openScanner } from "../connection.ts";
import { asStorageError } from "../writer/writer-protocol.ts";

/** Looked through in about a second. A larger one is only opened, and the doctor looks through it. */
const lookedThroughMax = 256 * 2 ** 20;

const walMagics: readonly number[] = [0x377f0682, 0x377f0683];

export function databaseFile(folder: string): string {
	return join(folder, "cairn.sqlite");
}

export interface Examination {
	readonly open: (file: string) => Connection;
	readonly looksThrough: boolean;
}

/** Throws where the start must end. Nothing there at all is fine: a new store begins. */
export function examineDatabase(folder: string, { open, looksThrough }: Examination = { open: openScanner, looksThrough: true }): void {
	const file = databaseFile(folder);
	const found = statSync(file, { throwIfNoEntry: false });
	if (found?.isDirectory() === true) throw fail("STORAGE_DAMAGED", `${file} is a folder`);
	if (found === undefined || found.size === 0) {
		refuseIfLost(folder, found === undefined ? "missing" : "empty");
		return;
	}
	accessSync(file, constants.R_OK | constants.W_OK);
	refuseForeignLog(`${file}-wal`);
	try {
		examineTables(open(file), { isLookedThrough: looksThrough && found.size <= lookedThroughMax, file, folder });
	} catch (thrown) {
		throw named(asStorageError(thrown), file);
	}
}

interface Examined {
	readonly isLookedThrough: boolean;
	readonly file: string;
	readonly folder: string;
}

function examineTables(connection: Connection, { isLookedThrough, file, folder }: Examined): void {
	try {
		const tables = tableNames(connection);
		// A first start that was cut off leaves a database without tables.
		if (tables.size === 0) refuseIfLost(folder, "empty");
		else if (!isOurs(connection, tables)) throw fail("STORAGE_FOREIGN", file);
		const [fault] = isLookedThrough ? faultsOf(connection, "quick_check") : [];
		if (fault !== undefined) throw fail("STORAGE_DAMAGED", fault);
	} finally {
		connection.close();
	}
}

function tableNames({ statement }: Connection): ReadonlySet<string> {
	const rows = statement<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").all();
	return new Set(rows.map(({ name }) => name));
}

/** The list of migrations comes first in a new database: cut off after it, a start has nothing else. */
function isOurs({ statement }: Connection, tables: ReadonlySet<string>): boolean {
	if (!tables.has("migrations")) return false;
	const columns = new Set(
		statement<{ name: string }>("SELECT name FROM pragma_table_info('migrations')")
			.all()
			.map(({ name }) => name),
	);
	if (!["number", "name", "checksum", "applied_at"].every((column) => columns.has(column))) return false;
	return tables.size === 1 || tables.has("organisations");
}

const faultsMax = 5;

/** @returns the first things that are wrong with the pages, and for `integrity_check` with the indexes. */
export function faultsOf({ statement }: Connection, check: "quick_check" | "integrity_check"): readonly string[] {
	const found = statement<unknown>(`PRAGMA ${check}(${faultsMax})`).values();
	return found.map(([fault]) => String(fault).replaceAll(/\s+/g, " ").trim()).filter((fault) => fault !== "ok");
}

/** Where there are blobs, index files or a log, there was a database: beside them no empty store may begin. */
function refuseIfLost(folder: string, what: "missing" | "empty"): void {
	if (hasRemains(folder)) throw fail("STORAGE_LOST", databaseFile(folder), what);
}

function hasRemains(folder: string): boolean {
	if ((statSync(`${databaseFile(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return true;
	return existsSync(markOf(folder)) || ["blobs", "indexes", "words"].some((name) => holdsFile(join(folder, name)));
}

/** A store of texts alone may be small enough to have no other file. */
function markOf(folder: string): string {
	return `${databaseFile(folder)}.made`;
}

/** From now on a folder without a database has lost one. */
export function markMade(folder: string): void {
	try {
		closeSync(openSync(markOf(folder), "a", 0o600));
	} catch {
		// On a full disk there is no room for it; the next start makes it.
	}
}

function holdsFile(folder: string): boolean {
	const found = statSync(folder, { throwIfNoEntry: false });
	return found?.isDirectory() === true && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
}

/** SQLite takes a log that is none for an empty one, and what was written last would be lost without a word. Zeros are what a loss of power leaves. */
function refuseForeignLog(log: string): void {
	const found = statSync(log, { throwIfNoEntry: false });
	if (found === undefined || (found.isFile() && found.size < Uint32Array.BYTES_PER_ELEMENT)) return;
	if (!found.isFile()) throw fail("STORAGE_DAMAGED", `${log} is a folder`);
	const magic = firstNumber(log);
	if (magic !== 0 && !walMagics.includes(magic)) throw fail("STORAGE_DAMAGED", `${log}, which holds what was written last, is no write-ahead log`);
}

function firstNumber(path: string): number {
	const bytes = new Uint8Array(Uint32Array.BYTES_PER_ELEMENT);
	const file = openSync(path, "r");
	try {
		readSync(file, bytes);
	} finally {
		closeSync(file);
	}
	return new DataView(bytes.buffer).getUint32(0);
}

/** With the path, which only the operator sees. */
export function named(error: ServiceError, file: string): ServiceError {
	return error.code === "STORAGE_DAMAGED" && !String(error.words[0]).includes(file)
		? fail("STORAGE_DAMAGED", `${file}: ${error.words[0] ?? ""}`).because(error)
		: error;
}

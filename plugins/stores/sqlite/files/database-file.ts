/** Checks the database before it is opened: damage is reported in one sentence, and no new database replaces a damaged one. */

import { accessSync, closeSync, constants, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, type ServiceError } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { migrations, outdatedSchema } from "../../sql/migrations.ts";
import { openScanner } from "../connection.ts";
import { asStorageError } from "../writer/writer-protocol.ts";

/** The pages of a database up to this size are checked at the start, in about a second. Larger ones are checked by the doctor. */
const checkedBytesMax = 256 * 2 ** 20;

/** The first bytes of a write-ahead log. */
const walMagics: readonly number[] = [0x377f0682, 0x377f0683];

export function databaseFile(folder: string): string {
	return join(folder, "cairn.sqlite");
}

export interface Examination {
	readonly open: (file: string) => Connection;
	/** Whether to check all pages. */
	readonly checksPages: boolean;
}

/** Throws if the server must not start on this folder. An empty folder is fine: a new database will be created. */
export function examineDatabase(folder: string, { open, checksPages }: Examination = { open: openScanner, checksPages: true }): void {
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
		examineTables(open(file), { checksPages: checksPages && found.size <= checkedBytesMax, file, folder });
	} catch (thrown) {
		throw withPath(asStorageError(thrown), file);
	}
}

/** The number of the schema if an older version wrote the database; null if there is nothing to upgrade. */
export function outdatedSchemaOf(folder: string): number | null {
	const file = databaseFile(folder);
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
	const opened = openScanner(file);
	try {
		return outdatedSchema(opened, migrations);
	} finally {
		opened.close();
	}
}

interface Checked {
	readonly checksPages: boolean;
	readonly file: string;
	readonly folder: string;
}

function examineTables(connection: Connection, { checksPages, file, folder }: Checked): void {
	try {
		const tables = tableNames(connection);
		// An interrupted first start leaves a database without tables.
		if (tables.size === 0) refuseIfLost(folder, "empty");
		else if (!isOurs(connection, tables)) throw fail("STORAGE_FOREIGN", file);
		const [fault] = checksPages ? faultsOf(connection, "quick_check") : [];
		if (fault !== undefined) throw fail("STORAGE_DAMAGED", fault);
	} finally {
		connection.close();
	}
}

function tableNames({ statement }: Connection): ReadonlySet<string> {
	const rows = statement<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'").all();
	return new Set(rows.map(({ name }) => name));
}

/** Whether the tables are ours. The table of migrations is created first, so after an interrupted first start it is the only one. */
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

/** @returns the first faults of the pages and, for `integrity_check`, of SQLite's indexes; of one table if it is named. */
export function faultsOf({ statement }: Connection, check: "quick_check" | "integrity_check", table?: string): readonly string[] {
	const found = statement<unknown>(`PRAGMA ${check}(${table === undefined ? faultsMax : `'${table}'`})`).values();
	return found.map(([fault]) => String(fault).replaceAll(/\s+/g, " ").trim()).filter((fault) => fault !== "ok");
}

/** Throws if there are blobs, index files or a log: they show that there was a database, and no new one may replace it. */
function refuseIfLost(folder: string, what: "missing" | "empty"): void {
	if (hadDatabase(folder)) throw fail("STORAGE_LOST", databaseFile(folder), what);
}

function hadDatabase(folder: string): boolean {
	if ((statSync(`${databaseFile(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return true;
	return existsSync(markerFile(folder)) || ["blobs", "indexes", "words"].some((name) => containsFile(join(folder, name)));
}

/** A file that shows that a database was created, because a small store of texts has no other files. */
function markerFile(folder: string): string {
	return `${databaseFile(folder)}.made`;
}

/** Marks the folder, so that from now on a missing database counts as lost. */
export function markCreated(folder: string): void {
	try {
		closeSync(openSync(markerFile(folder), "a", 0o600));
	} catch {
		// The disk may be full; the next start tries again.
	}
}

function containsFile(folder: string): boolean {
	const found = statSync(folder, { throwIfNoEntry: false });
	return found?.isDirectory() === true && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
}

/**
 * SQLite treats a file that is no write-ahead log like an empty one, so that the last writes would be lost silently. Zeros are what a loss
 * of power leaves.
 */
function refuseForeignLog(log: string): void {
	const found = statSync(log, { throwIfNoEntry: false });
	if (found === undefined || (found.isFile() && found.size < Uint32Array.BYTES_PER_ELEMENT)) return;
	if (!found.isFile()) throw fail("STORAGE_DAMAGED", `${log} is a folder`);
	const magic = readMagic(log);
	if (magic !== 0 && !walMagics.includes(magic)) throw fail("STORAGE_DAMAGED", `${log}, which should have the last writes, is not a write-ahead log`);
}

function readMagic(path: string): number {
	const bytes = new Uint8Array(Uint32Array.BYTES_PER_ELEMENT);
	const file = openSync(path, "r");
	try {
		readSync(file, bytes);
	} finally {
		closeSync(file);
	}
	return new DataView(bytes.buffer).getUint32(0);
}

/** Adds the path to an error, which only the operator sees. */
export function withPath(error: ServiceError, file: string): ServiceError {
	return error.code === "STORAGE_DAMAGED" && !String(error.args[0]).includes(file)
		? fail("STORAGE_DAMAGED", `${file}: ${error.args[0] ?? ""}`).because(error)
		: error;
}

/** The inspection by the doctor: the whole database, read-only, also while a server uses the folder. */

import { constants, Database } from "bun:sqlite";
import { constants as access, accessSync, existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type Inspection, type Json } from "cairn-memory";
import type { NamedOrganisation, NeededBlob, RecordPlace } from "cairn-memory/stores";
import { brokenLinks } from "../../sql/broken-links.ts";
import { type Connection, connection } from "../../sql/bun-connection.ts";
import { migrations, outdatedSchema } from "../../sql/migrations.ts";
import { busyMs, openWriter } from "../connection.ts";
import { emptyLog } from "../writer/checkpoint.ts";
import { asStorageError } from "../writer/writer-protocol.ts";
import { databaseFile, examineDatabase, faultsOf, withPath } from "./database-file.ts";
import { lockFolder } from "./folder-lock.ts";
import { lostWrites } from "./lost-writes.ts";
import { isScrubbed, scrub } from "./scrub.ts";

/** @param folder of the storage. */
export async function inspect(folder: string): Promise<Inspection> {
	if (!existsSync(folder)) return { notes: [["database", "will be created at the first start"]], faults: [] };
	try {
		// This must come before the database is opened, because SQLite then discards the part of the log that it cannot read.
		const lost = lostWrites(databaseFile(folder));
		examineDatabase(folder, { open: openForInspection, checksPages: false });
		if (lost !== null) return { notes: [], faults: [fail("STORAGE_DAMAGED", lost)] };
		if (!existsSync(databaseFile(folder))) return { notes: [["database", "will be created at the next start"]], faults: [] };
		return inspectOpened(folder, openForInspection(databaseFile(folder)));
	} catch (thrown) {
		return { notes: [], faults: [withPath(asStorageError(thrown), databaseFile(folder))] };
	}
}

function inspectOpened(folder: string, opened: Connection): Inspection {
	try {
		const applied = opened.statement<{ count: number }>("SELECT count(*) AS count FROM migrations").get()?.count ?? 0;
		if (applied > migrations.length) throw fail("STORAGE_NEWER", applied, migrations.length);
		const notes: [string, string][] = [["database", `${Math.ceil(statSync(databaseFile(folder)).size / 2 ** 20)} MB, schema ${applied}`]];
		const faults = faultsOf(opened, "integrity_check").map((fault) => fail("STORAGE_DAMAGED", `${databaseFile(folder)}: ${fault}`));
		if (faults.length > 0) return { notes, faults };
		const strays = ["api_keys", "documents", "memories"].filter((table) => hasStrays(opened, table));
		// A changed bit in an organisation's id hides everything that belongs to it.
		if (strays.length > 0) return { notes, faults: [fail("STORAGE_DAMAGED", `rows of ${strays.join(" and ")} belong to an organisation that is not there`)] };
		notes.push(["pages and indexes", "sound"], deletedContent(opened, applied));
		if (applied < migrations.length) return { notes: [...notes, ["chunks, vectors, memories", "of an older version: not compared"]], faults };
		const broken = brokenLinks(opened);
		if (broken.length === 0) notes.push(["chunks, vectors, memories", "belong together"]);
		return { notes, faults: broken.map((fault) => fail("STORAGE_DAMAGED", `${databaseFile(folder)}: ${fault}`)) };
	} finally {
		opened.close();
	}
}

function hasStrays({ statement }: Connection, table: string): boolean {
	return statement(`SELECT 1 FROM ${table} WHERE organisation NOT IN (SELECT id FROM organisations) LIMIT 1`).get() !== null;
}

function deletedContent(opened: Connection, applied: number): [string, string] {
	const mayRemain = applied < migrations.length || !isScrubbed(opened);
	return ["deleted content", mayRemain ? "may be left from earlier versions: stop the server and run the doctor with --vacuum" : "is overwritten"];
}

/** The blobs that the database refers to; none if there is no database yet. */
export function* blobsNeeded(folder: string): Generator<NeededBlob> {
	if (!existsSync(databaseFile(folder))) return;
	const opened = openForInspection(databaseFile(folder));
	try {
		const contents = { documents: "content", removed_documents: "row ->> '$.content'" };
		const queries = Object.entries(contents).map(
			([table, content]) => `SELECT organisation, blob AS key, ${content} ->> '$.sha256' AS sha256 FROM ${table} WHERE blob IS NOT NULL`,
		);
		for (const needed of opened.statement<NeededBlob>(queries.join(" UNION ")).iterate()) yield needed;
	} finally {
		opened.close();
	}
}

/** Of a folder of an older version too, whose organisations could not be removed yet. */
export function organisations(folder: string): readonly NamedOrganisation[] {
	const file = databaseFile(folder);
	if (!existsSync(file)) return [];
	const opened = openForInspection(file);
	try {
		const rows = opened.statement<NamedOrganisation & { readonly removed_at?: number | null }>("SELECT * FROM organisations").all();
		return rows.filter(({ removed_at: removedAt = null }) => removedAt === null);
	} catch (thrown) {
		throw withPath(asStorageError(thrown), file);
	} finally {
		opened.close();
	}
}

/** Null too where there is no database yet, or one of a version that has no records. */
export function record(folder: string, { organisation, kind, id }: RecordPlace): Json | null {
	const file = databaseFile(folder);
	if (!existsSync(file)) return null;
	const opened = openForInspection(file);
	try {
		if (opened.statement("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get() === null) return null;
		const sql = "SELECT value FROM records WHERE organisation = ? AND kind = ? AND id = ?";
		const row = opened.statement<{ readonly value: string }>(sql).get(organisation, kind, id);
		return row === null ? null : (JSON.parse(row.value) as Json);
	} catch (thrown) {
		throw withPath(asStorageError(thrown), file);
	} finally {
		opened.close();
	}
}

/**
 * Opens the database for reading. Without a log nobody writes, but a server may start meanwhile. So it is opened as a server does, with locks
 * and a log that is removed at the end; a reader alone would leave a log behind. What is taken for immutable has neither, so that a reader would
 * see pages change: it is for folders where nobody can write.
 */
export function openForInspection(file: string): Connection {
	if (existsSync(`${file}-wal`)) return connection(new Database(file, { readonly: true }));
	if (isWritable(file) && isWritable(dirname(file))) {
		const opened = new Database(file, { create: false, readwrite: true });
		opened.run(`PRAGMA busy_timeout = ${busyMs}`);
		return connection(opened);
	}
	return connection(new Database(`file:${encodeURI(file)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI));
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, access.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** Removes index files too, because they may have words of deleted content. They are built again from the tables. */
export async function scrubFolder(folder: string): Promise<void> {
	vacuum(folder);
	for (const derived of ["indexes", "words"]) await rm(join(folder, derived), { recursive: true, force: true });
}

/** Rewrites the database, so that nothing of deleted content is left. The server must be stopped. */
export function vacuum(folder: string): void {
	const lock = lockFolder(folder);
	try {
		examineDatabase(folder);
		const opened = openWriter(databaseFile(folder));
		try {
			const outdated = outdatedSchema(opened, migrations);
			if (outdated !== null) throw fail("COMMAND_INVALID", "the data folder is of an older version: start a server with it once, which upgrades it");
			scrub(opened);
			emptyLog(opened);
		} finally {
			opened.close();
		}
	} catch (thrown) {
		throw asStorageError(thrown);
	} finally {
		lock.release();
	}
}

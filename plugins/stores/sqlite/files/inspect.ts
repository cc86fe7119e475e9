/** What the doctor looks at: the whole database, read-only, also while a server has the folder. */

import { constants, Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BlobName, fail, type Inspection } from "cairn-memory";
import { type Connection, connection } from "../../sql/bun-connection.ts";
import { migrate, migrations } from "../../sql/migrations.ts";
import { openWriter } from "../connection.ts";
import { emptyLog } from "../writer/checkpoint.ts";
import { asStorageError } from "../writer/writer-protocol.ts";
import { databaseFile, examineDatabase, faultsOf, named } from "./database-file.ts";
import { lockFolder } from "./folder-lock.ts";
import { isScrubbed, scrub } from "./scrub.ts";

/** @param folder the storage's own */
export async function inspect(folder: string): Promise<Inspection> {
	if (!existsSync(folder)) return { notes: [["database", "will be made at the first start"]], faults: [] };
	try {
		examineDatabase(folder, { open: openForInspection, looksThrough: false });
		if (!existsSync(databaseFile(folder))) return { notes: [["database", "will be made at the next start"]], faults: [] };
		return inspectOpened(folder, openForInspection(databaseFile(folder)));
	} catch (thrown) {
		return { notes: [], faults: [named(asStorageError(thrown), databaseFile(folder))] };
	}
}

function inspectOpened(folder: string, opened: Connection): Inspection {
	try {
		const known = opened.statement<{ count: number }>("SELECT count(*) AS count FROM migrations").get()?.count ?? 0;
		if (known > migrations.length) throw fail("STORAGE_NEWER", known, migrations.length);
		const notes: [string, string][] = [["database", `${Math.ceil(statSync(databaseFile(folder)).size / 2 ** 20)} MB, schema ${known}`]];
		const faults = faultsOf(opened, "integrity_check").map((fault) => fail("STORAGE_DAMAGED", `${databaseFile(folder)}: ${fault}`));
		if (faults.length > 0) return { notes, faults };
		notes.push(["pages and indexes", "sound"], deletedContent(opened, known));
		return { notes, faults };
	} finally {
		opened.close();
	}
}

function deletedContent(opened: Connection, known: number): [string, string] {
	const isOld = known < migrations.length || !isScrubbed(opened);
	return ["deleted content", isOld ? "may be left from earlier versions: stop the server and run the doctor with --vacuum" : "is overwritten"];
}

/** Nothing where there is no database yet. */
export function* blobsNeeded(folder: string): Generator<BlobName> {
	if (!existsSync(databaseFile(folder))) return;
	const opened = openForInspection(databaseFile(folder));
	try {
		const named = ["documents", "removed_documents"].map((table) => `SELECT organisation, blob AS key FROM ${table} WHERE blob IS NOT NULL`);
		for (const name of opened.statement<BlobName>(named.join(" UNION ")).iterate()) yield name;
	} finally {
		opened.close();
	}
}

/** Without a log there are no writers, and even a reader would create one. */
export function openForInspection(file: string): Connection {
	if (existsSync(`${file}-wal`)) return connection(new Database(file, { readonly: true }));
	return connection(new Database(`file:${encodeURI(file)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI));
}

/** Index files may know words of what was deleted; they are made anew from the tables. */
export async function scrubFolder(folder: string): Promise<void> {
	vacuum(folder);
	for (const derived of ["indexes", "words"]) await rm(join(folder, derived), { recursive: true, force: true });
}

/** Rewrites the database, so that nothing is left of what was deleted. The server has to be stopped. */
export function vacuum(folder: string): void {
	const lock = lockFolder(folder);
	try {
		examineDatabase(folder);
		const opened = openWriter(databaseFile(folder));
		try {
			migrate(opened, migrations);
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

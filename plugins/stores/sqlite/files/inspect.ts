/** What the doctor looks at: the whole database and the files it names, read-only, also while a server has the folder. */

import { constants, Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Inspection, type OrganisationId } from "cairn-memory";
import { type Connection, connection } from "../../sql/bun-connection.ts";
import { migrate } from "../../sql/migrate.ts";
import { migrations } from "../../sql/migrations.ts";
import { openWriter } from "../connection.ts";
import { emptyLog } from "../writer/checkpoint.ts";
import { asStorageError } from "../writer/writer-protocol.ts";
import { blobPathIn } from "./blobs.ts";
import { databaseFile, examineDatabase, faultsOf, named } from "./database-file.ts";
import { lockFolder } from "./folder-lock.ts";
import { isScrubbed, scrub } from "./scrub.ts";

interface BlobRow {
	readonly organisation: OrganisationId;
	readonly blob: string;
}

/** Named in full; beyond this only counted. */
const namedMax = 5;

/** @param folder the storage's own */
export async function inspect(folder: string): Promise<Inspection> {
	if (!existsSync(folder)) return { notes: [["database", "will be made at the first start"]], faults: [] };
	try {
		examineDatabase(folder, { open: openForInspection, looksThrough: false });
		if (!existsSync(databaseFile(folder))) return { notes: [["database", "will be made at the next start"]], faults: [] };
		return await inspectOpened(folder, openForInspection(databaseFile(folder)));
	} catch (thrown) {
		return { notes: [], faults: [named(asStorageError(thrown), databaseFile(folder))] };
	}
}

async function inspectOpened(folder: string, opened: Connection): Promise<Inspection> {
	try {
		const known = opened.statement<{ count: number }>("SELECT count(*) AS count FROM migrations").get()?.count ?? 0;
		if (known > migrations.length) throw fail("STORAGE_NEWER", known, migrations.length);
		const notes: [string, string][] = [["database", `${Math.ceil(statSync(databaseFile(folder)).size / 2 ** 20)} MB, schema ${known}`]];
		const faults = faultsOf(opened, "integrity_check").map((fault) => fail("STORAGE_DAMAGED", `${databaseFile(folder)}: ${fault}`));
		if (faults.length > 0) return { notes, faults };
		notes.push(["pages and indexes", "sound"], deletedContent(opened, known));
		const { count, lost } = await lostBlobs(folder, opened);
		notes.push(["original files", lost.length === 0 ? `${count}, all there` : `${lost.length} of ${count} are missing`]);
		return { notes, faults: lost.length === 0 ? [] : [fail("STORAGE_DAMAGED", `${namesOf(lost)} missing of the original files`)] };
	} finally {
		opened.close();
	}
}

function deletedContent(opened: Connection, known: number): [string, string] {
	const isOld = known < migrations.length || !isScrubbed(opened);
	return ["deleted content", isOld ? "may be left from earlier versions: stop the server and run the doctor with --vacuum" : "is overwritten"];
}

function namesOf(lost: readonly string[]): string {
	const rest = lost.length - namedMax;
	return `${lost.slice(0, namedMax).join(", ")}${rest > 0 ? ` and ${rest} more are` : lost.length === 1 ? " is" : " are"}`;
}

async function lostBlobs(folder: string, { statement }: Connection): Promise<{ readonly count: number; readonly lost: readonly string[] }> {
	const lost: string[] = [];
	let count = 0;
	for (const path of neededBlobs(folder, statement)) {
		count++;
		if ((await stat(path).catch(() => null))?.isFile() !== true) lost.push(path);
	}
	return { count, lost };
}

/** The paths of the originals of all documents, those that may come back included. */
export function* neededBlobs(folder: string, statement: Connection["statement"]): Generator<string> {
	const named = ["documents", "removed_documents"].map((table) => `SELECT organisation, blob FROM ${table} WHERE blob IS NOT NULL`);
	for (const { organisation, blob } of statement<BlobRow>(named.join(" UNION ")).iterate()) yield blobPathIn(join(folder, "blobs"), organisation, blob);
}

/** Without a log there are no writers, and even a reader would create one. */
export function openForInspection(file: string): Connection {
	if (existsSync(`${file}-wal`)) return connection(new Database(file, { readonly: true }));
	return connection(new Database(`file:${encodeURI(file)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI));
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

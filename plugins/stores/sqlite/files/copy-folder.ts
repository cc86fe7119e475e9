/** Copies the tables as of one moment, while a server may write. Index files are not copied, because they are rebuilt from the tables. */

import { Database } from "bun:sqlite";
import { rm } from "node:fs/promises";
import { connection } from "../../sql/bun-connection.ts";
import { asStorageError } from "../writer/writer-protocol.ts";
import { databaseFile, examineDatabase, withPath } from "./database-file.ts";
import { openForInspection } from "./inspect.ts";

/** Other threads can write during the copy. The copy has no free pages, so it contains nothing of deleted content. @throws ServiceError */
export async function copyFolder(folder: string, into: string): Promise<void> {
	const file = databaseFile(folder);
	try {
		await rm(databaseFile(into), { force: true });
		examineDatabase(folder, { open: openForInspection, checksPages: false });
		const database = openForInspection(file);
		try {
			database.statement("VACUUM INTO ?").run(databaseFile(into));
		} finally {
			database.close();
		}
		disown(databaseFile(into));
	} catch (thrown) {
		throw withPath(asStorageError(thrown), file);
	}
}

/** A copy is not the owner of original files that it does not take along, such as those in a bucket. */
function disown(file: string): void {
	const copy = connection(new Database(file, { readwrite: true }));
	try {
		const hasRecords = copy.statement("SELECT 1 FROM sqlite_schema WHERE name = 'records'").get() !== null;
		if (hasRecords) copy.script("PRAGMA secure_delete = ON; DELETE FROM records WHERE kind = 'blob-owner'");
	} finally {
		copy.close();
	}
}

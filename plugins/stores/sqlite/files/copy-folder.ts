/** A copy of the tables as of one moment, while a server writes, by SQLite's own means. Index files are made anew from the tables. */

import { rm } from "node:fs/promises";
import { asStorageError } from "../writer/writer-protocol.ts";
import { databaseFile, examineDatabase, named } from "./database-file.ts";
import { openForInspection } from "./inspect.ts";

/** Writes go on meanwhile; the copy has no free pages, and so nothing of what was deleted. @throws ServiceError */
export async function copyFolder(folder: string, into: string): Promise<void> {
	const file = databaseFile(folder);
	try {
		await rm(databaseFile(into), { force: true });
		examineDatabase(folder, { open: openForInspection, looksThrough: false });
		const opened = openForInspection(file);
		try {
			opened.statement("VACUUM INTO ?").run(databaseFile(into));
		} finally {
			opened.close();
		}
	} catch (thrown) {
		throw named(asStorageError(thrown), file);
	}
}

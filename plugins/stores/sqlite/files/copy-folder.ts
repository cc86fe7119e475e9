/** Copies the tables as of one moment, while a server may write. Index files are not copied, because they are rebuilt from the tables. */

import { rm } from "node:fs/promises";
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
	} catch (thrown) {
		throw withPath(asStorageError(thrown), file);
	}
}

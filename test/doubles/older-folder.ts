/** A data folder that an earlier version has made, see `test/fixtures/folders`. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { folderPlace } from "../../server/backup/places/folder-place.ts";
import { restoreBackup } from "../../server/backup/read-backup.ts";

export const olderFolder = {
	key: "older-folder-key-000001",
	schema: 14,
	/** 24 notes but number 5, and two files. */
	documents: 25,
	/** Unpacks it. @param into a folder that is not there */
	unpack: async (into: string): Promise<void> => {
		const temporary = await mkdtemp(join(tmpdir(), "cairn-older-"));
		try {
			const archive = join(temporary, "older.tar");
			await writeFile(archive, gunzipSync(await readFile(join(import.meta.dir, "../fixtures/folders/schema-14.tar.gz"))));
			await restoreBackup({ place: folderPlace(temporary), name: "older.tar" }, into);
		} finally {
			await rm(temporary, { recursive: true, force: true });
		}
	},
};

/** The lock file of models: the revision and the SHA-256 of every file at the first download. Later downloads have to match. */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface LockedFile {
	/** Relative to the model's folder, with forward slashes. */
	readonly path: string;
	readonly bytes: number;
	readonly sha256: string;
}

export interface LockedModel {
	readonly repository: string;
	/** The commit on the hub. */
	readonly revision: string;
	readonly pulledAt: string;
	readonly files: readonly LockedFile[];
}

/** Locked models by name. */
export type Locks = Readonly<Record<string, LockedModel>>;

const fileName = "cairn-models.lock.json";

export async function readLocks(folder: string): Promise<Locks> {
	const text = await readFile(join(folder, fileName), "utf8").catch(() => "{}");
	try {
		// Only this module writes the file.
		return JSON.parse(text) as Locks;
	} catch {
		// A damaged file must not count as empty, which would drop its pins.
		throw fail("MODEL_FOLDER_BROKEN", fileName, "it is not valid JSON; restore it, or delete it to download all models as if for the first time");
	}
}

export async function writeLock(folder: string, name: string, locked: LockedModel): Promise<void> {
	const locks = { ...(await readLocks(folder)), [name]: locked };
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const temporaryFile = join(folder, `.${fileName}.${process.pid}`);
	await writeFile(temporaryFile, `${JSON.stringify(locks, null, "\t")}\n`);
	await rename(temporaryFile, join(folder, fileName));
}

/**
 * The lock file of models: revision and SHA-256 of every file, from the first download. Later downloads have to match.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

export interface LockedFile {
	/** From the model's folder, with forward slashes. */
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

/** By name. */
export type Locks = Readonly<Record<string, LockedModel>>;

const fileName = "cairn-models.lock.json";

export async function readLocks(folder: string): Promise<Locks> {
	const text = await readFile(join(folder, fileName), "utf8").catch(() => "{}");
	try {
		// Only this file writes it.
		return JSON.parse(text) as Locks;
	} catch {
		// A damaged file is not taken for an empty one: what it pinned would be forgotten.
		throw fail("MODEL_FOLDER_BROKEN", fileName, "it is no JSON; put it back, or remove it to fetch all models as if for the first time");
	}
}

export async function writeLock(folder: string, name: string, locked: LockedModel): Promise<void> {
	const locks = { ...(await readLocks(folder)), [name]: locked };
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const part = join(folder, `.${fileName}.${process.pid}`);
	await writeFile(part, `${JSON.stringify(locks, null, "\t")}\n`);
	await rename(part, join(folder, fileName));
}

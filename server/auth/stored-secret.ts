/**
 * The server's own secrets: files in the data folder, created at the first start and readable only by its user. Servers that share a
 * database and no folder make them of one secret, which the operator gives to all of them.
 */

import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { syncPath } from "../backup/sync-files.ts";

const secretBytes = 32;

/** The secret of this name: one made of the operator's, or one of the data folder. */
export function secretNamed(name: string, { dataDir, secret }: { readonly dataDir: string; readonly secret: string | null }): Promise<Uint8Array> {
	if (secret === null) return storedSecret(dataDir, name);
	return Promise.resolve(new Uint8Array(hkdfSync("sha256", secret, "", `cairn ${name}`, secretBytes)));
}

/** Reads the secret, or creates it. It is synced to disk before it is used: data encrypted with a lost secret could never be decrypted. */
export async function storedSecret(dataDir: string, name: string): Promise<Uint8Array> {
	const path = join(dataDir, name);
	const stored = existsSync(path) ? readFileSync(path) : null;
	if (stored?.length === secretBytes) return stored;
	// The file is written atomically, so it was damaged later. With a new secret everything encrypted with the old one would be lost.
	if (stored !== null) throw fail("STORAGE_DAMAGED", `${path} does not contain the secret that was stored in it`);
	const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
	const file = await open(temporary, "w", 0o600);
	await file.writeFile(randomBytes(secretBytes));
	await file.sync();
	await file.close();
	// Of several servers that start at once on one folder, the first one's counts.
	// A file system without links has no other server on it.
	await link(temporary, path).catch(() => (existsSync(path) ? undefined : rename(temporary, path)));
	await rm(temporary, { force: true });
	await syncPath(dataDir);
	return readFileSync(path);
}

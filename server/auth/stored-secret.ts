/** The server's own secrets: files in the data folder, created at the first start and readable only by its user. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import { syncPath } from "../backup/sync-files.ts";

const secretBytes = 32;

/** Reads the secret, or creates it. It is synced to disk before it is used: data encrypted with a lost secret could never be decrypted. */
export async function storedSecret(dataDir: string, name: string): Promise<Uint8Array> {
	const path = join(dataDir, name);
	const stored = existsSync(path) ? readFileSync(path) : null;
	if (stored?.length === secretBytes) return stored;
	// The file is written atomically, so it was damaged later. With a new secret everything encrypted with the old one would be lost.
	if (stored !== null) throw fail("STORAGE_DAMAGED", `${path} does not contain the secret that was stored in it`);
	const secret = randomBytes(secretBytes);
	const file = await open(`${path}.tmp`, "w", 0o600);
	await file.writeFile(secret);
	await file.sync();
	await file.close();
	await rename(`${path}.tmp`, path);
	await syncPath(dataDir);
	return secret;
}

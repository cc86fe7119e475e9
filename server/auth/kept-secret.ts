/** The server's own secrets: files in the data folder, created at the first start and readable only by its user. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

const secretBytes = 32;

/** Synced to disk before it is used: data encrypted with a lost secret could not be decrypted any more. */
export async function keptSecret(dataDir: string, name: string): Promise<Uint8Array> {
	const path = join(dataDir, name);
	const kept = existsSync(path) ? readFileSync(path) : null;
	if (kept?.length === secretBytes) return kept;
	// It is never half written: a new one in its place would lose for good what was sealed with it.
	if (kept !== null) throw fail("STORAGE_DAMAGED", `${path} is not the secret that was kept in it`);
	const secret = randomBytes(secretBytes);
	const file = await open(`${path}.tmp`, "w", 0o600);
	await file.writeFile(secret);
	await file.sync();
	await file.close();
	await rename(`${path}.tmp`, path);
	return secret;
}

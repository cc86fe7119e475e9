/** The server's own secrets: files of the data folder, made at the first start and readable by its user alone. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

const secretBytes = 32;

/** On the disk before it is used: what was sealed with a secret that got lost could not be opened any more. */
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

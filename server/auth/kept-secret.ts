/** The server's own secrets: files of the data folder, made at the first start and readable by its user alone. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";

const secretBytes = 32;

/** On the disk before it is used: what was sealed with a secret that got lost could not be opened any more. */
export async function keptSecret(dataDir: string, name: string): Promise<Uint8Array> {
	const path = join(dataDir, name);
	if (existsSync(path)) {
		const kept = readFileSync(path);
		if (kept.length === secretBytes) return kept;
	}
	const secret = randomBytes(secretBytes);
	const file = await open(`${path}.tmp`, "w", 0o600);
	await file.writeFile(secret);
	await file.sync();
	await file.close();
	await rename(`${path}.tmp`, path);
	return secret;
}

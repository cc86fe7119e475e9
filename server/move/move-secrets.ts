/** Takes along what lies beside the store: the secrets that sealed its rows, and which embedder was asked for. */

import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";

const besideStore = ["vault-key", "link-secret", "embedder"] as const;

/** Copies the files from one data folder to another. Those that are missing are left out. @throws ServiceError `COMMAND_INVALID` if another one is there */
export async function moveSecrets(from: string, to: string): Promise<void> {
	if (from === to) return;
	await mkdir(to, { recursive: true, mode: 0o700 });
	for (const name of besideStore) {
		const own = await readFile(join(from, name)).catch(() => null);
		const there = await readFile(join(to, name)).catch(() => null);
		if (own === null || there?.equals(own) === true) continue;
		if (there !== null) throw fail("COMMAND_INVALID", `${join(to, name)} is of another store, whose secrets do not open what is moved: remove it`);
		await copyFile(join(from, name), join(to, name));
	}
}

/** A sentence that says what opens the sealed rows of the target, for whoever starts its servers. */
export function secretsNeeded(dataDir: string, secret: string | null): string {
	if (secret !== null) return "what is sealed opens with the same CAIRN_SECRET";
	return `what is sealed opens with the files vault-key and link-secret in ${dataDir}, which every server needs`;
}

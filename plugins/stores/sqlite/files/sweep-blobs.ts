/** Removes blobs that nothing points to: what a crash left between the bytes and the document, and halves of files. */

import type { Stats } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { unfinishedFolder } from "./blobs.ts";

/** A blob is written before its document: until then nothing points to it, so only what is old is swept. */
const spareMs = 60 * 60_000;

export interface Sweep {
	readonly now: Date;
	/** What is older is from an earlier run of the server: its document is there or never comes. Null where that is not known. */
	readonly leftBefore: Date | null;
}

export async function sweepBlobs(folder: string, statement: Connection["statement"], sweep: Sweep, signal: AbortSignal): Promise<number> {
	let removed = 0;
	for await (const { path, organisation, key } of filesIn(folder)) {
		if (signal.aborted) break;
		const stats = await lstat(path).catch(() => null);
		if (stats === null || isSpared(stats, sweep) || (organisation !== null && isNeeded(statement, organisation, key))) continue;
		await rm(path, { force: true });
		removed++;
	}
	return removed;
}

/** When a file came to its place is the system's to say, whatever time was written on it. */
function isSpared({ mtimeMs, ctimeMs }: Stats, { now, leftBefore }: Sweep): boolean {
	return now.getTime() - mtimeMs < spareMs && (leftBefore === null || ctimeMs >= leftBefore.getTime());
}

/** A document's own blob is needed as long as the document is there or may come back; what is named after a document, as long as it is not finished. */
function isNeeded(statement: Connection["statement"], organisation: string, key: string): boolean {
	for (const table of ["documents", "removed_documents"] as const)
		if (statement(`SELECT 1 FROM ${table} WHERE organisation = ? AND blob = ? LIMIT 1`).get(organisation, key) !== null) return true;
	const named = key.split(/[._-]/).filter(isId);
	const sql = "SELECT 1 FROM documents WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND status <> 'done' AND status <> 'failed'";
	return statement(sql).get(organisation, JSON.stringify(named)) !== null;
}

interface BlobFile {
	readonly path: string;
	/** Null for a half. */
	readonly organisation: string | null;
	readonly key: string;
}

async function* filesIn(folder: string): AsyncGenerator<BlobFile> {
	for (const key of await names(join(folder, unfinishedFolder), "file")) yield { path: join(folder, unfinishedFolder, key), organisation: null, key };
	for (const organisation of await names(folder, "folder")) {
		if (organisation === unfinishedFolder) continue;
		for (const shelf of await names(join(folder, organisation), "folder")) {
			const path = join(folder, organisation, shelf);
			for (const key of await names(path, "file")) yield { path: join(path, key), organisation, key };
		}
	}
}

/** Links are neither. */
async function names(folder: string, kind: "file" | "folder"): Promise<readonly string[]> {
	const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => (kind === "file" ? entry.isFile() : entry.isDirectory())).map(({ name }) => name);
}

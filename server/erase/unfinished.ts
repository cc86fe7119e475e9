/**
 * The erasures that have begun and not ended, in a file of the data folder. If the process is killed or the power is lost, the same command
 * continues, and it has to know which blobs there were, since their documents may be gone. Each has a block of lines: its target, and the
 * keys of the blobs.
 */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncAndRename, syncPath } from "../backup/sync-files.ts";

const fileName = "erase-unfinished";
const betweenBlocks = "\n\n";

export interface UnfinishedErasures {
	/** The blobs of the erasure; null if none of this target has begun. */
	readonly blobsOf: (target: string) => readonly string[] | null;
	readonly begin: (target: string, blobs: readonly string[]) => Promise<void>;
	readonly end: (targets: readonly string[]) => Promise<void>;
}

export async function unfinishedErasures(dataDir: string): Promise<UnfinishedErasures> {
	const path = join(dataDir, fileName);
	const stored = await readFile(path, "utf8").catch(() => "");
	const blocks = stored.split(betweenBlocks).filter((block) => block !== "");
	const blobsByTarget = new Map(blocks.map((block) => block.split("\n")).map(([target = "", ...blobs]) => [target, blobs as readonly string[]]));

	async function store(): Promise<void> {
		if (blobsByTarget.size === 0) {
			await rm(path, { force: true });
			return syncPath(dataDir);
		}
		const text = [...blobsByTarget].map(([target, blobs]) => [target, ...blobs].join("\n")).join(betweenBlocks);
		await writeFile(`${path}.tmp`, text, { mode: 0o600 });
		await syncAndRename(`${path}.tmp`, path);
	}

	return {
		blobsOf: (target) => blobsByTarget.get(target) ?? null,
		begin: async (target, blobs) => {
			blobsByTarget.set(target, blobs);
			await store();
		},
		end: async (targets) => {
			for (const target of targets) blobsByTarget.delete(target);
			await store();
		},
	};
}

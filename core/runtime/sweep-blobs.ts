/** Removes blobs that nothing refers to: those that were stored before a crash and never got a document, and those of deleted documents. */

import type { OrganisationId } from "../model/id.ts";
import type { BlobStorePlugin, HeldBlob } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

/** A blob is written before its document: until then nothing points to it, so only what is old is swept. */
const spareMs = 60 * 60_000;
/** How many blobs one call of the storage asks about. */
const blobsAtOnce = 200;

export interface BlobSweeper {
	/** In the first sweep, what is from an earlier run of the server is old enough: its document is there or never comes. */
	readonly sweep: (signal: AbortSignal) => Promise<void>;
	/** The size of all blobs as of the last sweep; null before it. */
	readonly listedBytes: () => number | null;
}

export function blobSweeper(
	storage: Pick<StoragePlugin, "blobsNeeded" | "supports">,
	blobs: BlobStorePlugin,
	{ now, log }: Pick<World, "now" | "log">,
): BlobSweeper {
	const openedAt = now();
	let listedBytes: number | null = null;
	// Where several programs write, blobs may be from one that still runs.
	let isFirst = blobs.sweepEveryMs === undefined && !storage.supports.manyWriters;
	let nextSweepAt = openedAt.getTime();

	function isSpared({ writtenAt, placedAt }: HeldBlob): boolean {
		return now().getTime() - writtenAt.getTime() < spareMs && (!isFirst || placedAt >= openedAt);
	}

	async function sweepSome(organisation: OrganisationId, keys: readonly string[]): Promise<number> {
		const needed = await storage.blobsNeeded(organisation, keys);
		const { remove } = blobs.organisation(organisation);
		const orphans = keys.filter((key) => !needed.has(key));
		for (const key of orphans) await remove(key);
		return orphans.length;
	}

	async function sweep(signal: AbortSignal): Promise<void> {
		if (now().getTime() < nextSweepAt) return;
		const waiting = new Map<OrganisationId, string[]>();
		let removed = 0;
		let byteLength = 0;
		for await (const blob of blobs.list()) {
			if (signal.aborted) return;
			byteLength += blob.byteLength ?? 0;
			if (isSpared(blob)) continue;
			const keys = waiting.get(blob.organisation) ?? [];
			waiting.set(blob.organisation, keys);
			keys.push(blob.key);
			if (keys.length === blobsAtOnce) removed += await sweepSome(blob.organisation, keys.splice(0));
		}
		for (const [organisation, keys] of waiting) removed += await sweepSome(organisation, keys);
		isFirst = false;
		nextSweepAt = now().getTime() + (blobs.sweepEveryMs ?? 0);
		await blobs.maintain?.(signal);
		listedBytes = byteLength;
		if (removed > 0) log("info", "removed blobs that nothing pointed to", { removed });
	}

	return { sweep, listedBytes: () => listedBytes };
}

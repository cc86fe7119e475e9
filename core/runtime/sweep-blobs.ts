/** Removes blobs that nothing refers to: those that were stored before a crash and never got a document, and those of deleted documents. */

import type { OrganisationId } from "../model/id.ts";
import type { BlobStorePlugin, HeldBlob } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { type BlobOwner, spareMs } from "./blob-owner.ts";
import { grouped, isShared } from "./known-blobs.ts";

/** More than half of the blobs are removed at once if they are no more than this; otherwise after some days. */
const fewBlobs = 100;
/** How many names of needless blobs are held at once. The others are found by the next sweep, which follows soon. */
const orphansMax = 20_000;

export interface BlobSweeper {
	/** In the first sweep, what is from an earlier run of the server is old enough: its document is there or never comes. */
	readonly sweep: (signal: AbortSignal) => Promise<void>;
	/** The size of all blobs as of the last sweep; null before it. */
	readonly listedBytes: () => number | null;
}

export function blobSweeper(
	storage: Pick<StoragePlugin, "blobsNeeded" | "supports">,
	blobs: BlobStorePlugin,
	owner: Pick<BlobOwner, "takeTurn" | "hasHesitated">,
	{ now, log }: Pick<World, "now" | "log">,
): BlobSweeper {
	const openedAt = now();
	let listedBytes: number | null = null;
	// Where several programs write, blobs may be from one that still runs.
	const othersWrite = isShared(storage, blobs);
	let isFirst = !othersWrite;
	let nextSweepAt = openedAt.getTime();

	/** A blob is written before its document: until then nothing points to it, so only what is old is swept. */
	function isSpared({ writtenAt, placedAt }: HeldBlob, ownedSince: Date): boolean {
		const isYoung = now().getTime() - writtenAt.getTime() < spareMs && (!isFirst || placedAt >= openedAt);
		// What a copy of a database does not know stays until the original has had time to contest the mark.
		return isYoung || (othersWrite && writtenAt.getTime() > ownedSince.getTime() - spareMs);
	}

	async function* old(ownedSince: Date, seen: (blob: HeldBlob) => void): AsyncGenerator<HeldBlob> {
		for await (const blob of blobs.list()) {
			seen(blob);
			if (!isSpared(blob, ownedSince)) yield blob;
		}
	}

	async function needless(organisation: OrganisationId, keys: readonly string[]): Promise<readonly string[]> {
		const needed = await storage.blobsNeeded(organisation, keys);
		return keys.filter((key) => !needed.has(key));
	}

	/** Asked again right before it is removed, a blob is needed or never will be. */
	async function remove(organisation: OrganisationId, keys: readonly string[]): Promise<number> {
		const orphans = await needless(organisation, keys);
		for (const key of orphans) await blobs.organisation(organisation).remove(key);
		return orphans.length;
	}

	async function sweep(signal: AbortSignal): Promise<void> {
		if (now().getTime() < nextSweepAt) return;
		let [count, byteLength, found] = [0, 0, 0];
		const seen = (blob: HeldBlob) => {
			count++;
			byteLength += blob.byteLength ?? 0;
		};
		const ownedSince = await owner.takeTurn();
		const orphans: { readonly organisation: OrganisationId; readonly keys: readonly string[] }[] = [];
		for await (const { organisation, keys } of grouped(old(ownedSince ?? new Date(0), seen))) {
			if (signal.aborted) return;
			if (ownedSince === null) continue;
			const each = await needless(organisation, keys);
			found += each.length;
			if (each.length > 0 && found <= orphansMax) orphans.push({ organisation, keys: each });
		}
		let removed = 0;
		if (ownedSince !== null && (await owner.hasHesitated(found > fewBlobs && found * 2 > count)))
			for (const { organisation, keys } of orphans) if (!signal.aborted) removed += await remove(organisation, keys);
		isFirst = false;
		nextSweepAt = now().getTime() + (found > orphansMax && removed > 0 ? 0 : (blobs.sweepEveryMs ?? 0));
		if (ownedSince !== null) await blobs.maintain?.(signal);
		listedBytes = byteLength;
		if (removed > 0) log("info", "removed blobs that nothing pointed to", { removed });
	}

	return { sweep, listedBytes: () => listedBytes };
}

/** Ends the removal of organisations: deletes their files, and then the organisations themselves. Their rows are erased by the storage. */

import type { OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { BlobStorePlugin } from "../ports/blob-store.ts";
import type { StoragePlugin } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

export interface RemovalParts {
	readonly storage: Pick<StoragePlugin, "accounts">;
	readonly blobs: BlobStorePlugin;
	readonly world: Pick<World, "now" | "log">;
}

/** What a request or a job that was under way wrote meanwhile is erased too, by the next run. No job goes on for longer without its lease. */
const graceMs = limits.leaseMs;

/** Safe to repeat after a crash at any point: the organisation goes last. */
export async function endRemovals({ storage: { accounts }, blobs, world }: RemovalParts, signal: AbortSignal): Promise<void> {
	const removed = (await accounts.organisationAccounts()).filter(({ removedAt }) => removedAt !== null);
	if (removed.length === 0 || signal.aborted) return;
	await removeBlobs(new Set(removed.map(({ id }) => id)), blobs, signal);
	for (const { id, removedAt } of removed) {
		const isOver = removedAt !== null && world.now().getTime() - removedAt.getTime() > graceMs;
		if (!signal.aborted && isOver && (await accounts.endRemoval(id))) world.log("info", "an organisation was removed", { organisation: id });
	}
}

async function removeBlobs(organisations: ReadonlySet<OrganisationId>, blobs: BlobStorePlugin, signal: AbortSignal): Promise<void> {
	for await (const { organisation, key } of blobs.list()) {
		if (signal.aborted) return;
		if (organisations.has(organisation)) await blobs.organisation(organisation).remove(key);
	}
}

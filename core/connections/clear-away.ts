/** Removes what a connection has added, and finally the connection itself. Safe to repeat after a crash at any point. */

import { syncedPrefix } from "../model/reserved-custom-ids.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import type { Connection } from "./connection.ts";

/** Removed in one go: enough to be quick, few enough that other writers get their turn. */
const batch = 100;

/** For good, whatever their status. @returns how many there were. */
export async function removeSynced(connection: string, { documents, blobs }: Pick<TenantStore, "documents" | "blobs">, world: World): Promise<number> {
	let removed = 0;
	for (;;) {
		const some = await documents.byPrefix(syncedPrefix(connection), null, batch);
		if (some.length === 0) return removed;
		const orphans = await Promise.all(some.map(({ id }) => documents.remove(id, world.now())));
		removed += orphans.filter((keys) => keys !== null).length;
		await Promise.all(orphans.flatMap((keys) => keys ?? []).map((key) => blobs.remove(key)));
	}
}

/** Done by the connection's job, so that no sync runs meanwhile and adds something. The record goes last. */
export async function clearAway({ id, deletion }: Connection, tenant: TenantStore, world: World): Promise<void> {
	if (deletion?.keepsDocuments !== true) await removeSynced(id, tenant, world);
	await tenant.records.remove("sync-cursor", id);
	await tenant.records.remove("connection", id);
}

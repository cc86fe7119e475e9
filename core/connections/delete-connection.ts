/** Deletes the documents of a connection, and finally the connection itself. Safe to repeat after a crash at any point. */

import { syncedPrefix } from "../model/reserved-custom-ids.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { releaseSource } from "./claim-source.ts";
import type { Connection } from "./connection.ts";
import { type EndSignInParts, endSignIn } from "./end-sign-in.ts";

/** Documents removed at once: enough to be quick, few enough that other writers do not wait long. */
const batchSize = 100;

/** Deletes all documents of a connection permanently, whatever their status. @returns how many there were. */
export async function removeSynced(connection: string, { documents, blobs }: Pick<TenantStore, "documents" | "blobs">, world: World): Promise<number> {
	let removed = 0;
	for (;;) {
		const page = await documents.byPrefix(syncedPrefix(connection), null, batchSize);
		if (page.length === 0) return removed;
		const unusedBlobs = await Promise.all(page.map(({ id }) => documents.remove(id, world.now())));
		removed += unusedBlobs.filter((keys) => keys !== null).length;
		await Promise.all(unusedBlobs.flatMap((keys) => keys ?? []).map((key) => blobs.remove(key)));
	}
}

/** Runs in the connection's job, so that no sync adds documents at the same time. The connection's record is removed last. */
export async function deleteConnection(connection: Connection, tenant: TenantStore, parts: EndSignInParts & Pick<Parts, "digest">): Promise<void> {
	const { id, deletion } = connection;
	if (deletion?.keepsDocuments !== true) await removeSynced(id, tenant, parts.world);
	await endSignIn(connection, parts);
	await tenant.records.remove("sync-cursor", id);
	await releaseSource(connection, { ...parts, records: tenant.records });
	await tenant.records.remove("connection", id);
}

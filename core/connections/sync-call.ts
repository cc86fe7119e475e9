/** What a sync does with the changes a connector reports: puts and removes documents, stores cursors. */

import { pagesByPrefix } from "../access/find-document.ts";
import { ServiceError } from "../errors/fail.ts";
import type { OrganisationId } from "../model/id.ts";
import { syncedCustomId, syncedPrefix } from "../model/reserved-custom-ids.ts";
import type { Connector, ConnectorConfig, Cursor, Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import type { Connection } from "./connection.ts";
import { type ItemContext, putItem } from "./put-item.ts";
import type { ProgressReport } from "./report-progress.ts";
import type { SyncCall } from "./run-sync.ts";

/** Page size of reads. */
const documentsAtOnce = 500;

export interface SyncContext {
	readonly world: World;
	readonly connection: Connection;
	readonly connector: Connector;
	readonly config: ConnectorConfig;
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly report: ProgressReport;
	/** The stored connection, whose containers may have changed since the sync began. */
	readonly currentConnection: ItemContext["currentConnection"];
}

export async function syncCall(context: SyncContext, step: Step): Promise<SyncCall> {
	const { connection, connector, config, organisation, tenant, report, world, currentConnection } = context;
	const { id, documentLimit } = connection;
	const customIds = await syncedCustomIds(id, tenant);
	const stored = await tenant.records.get("sync-cursor", id, world.now());
	const remove = async (key: string) => {
		const customId = syncedCustomId(id, key);
		const [document = null] = await tenant.documents.byCustomId(customId, [], 1);
		customIds.delete(customId);
		if (document === null) return;
		const unusedBlobs = await tenant.documents.remove(document.id, world.now());
		for (const blob of unusedBlobs ?? []) await tenant.blobs.remove(blob);
		report.removed();
	};
	return {
		connector,
		config,
		// Only the connector knows the content of a cursor. If it cannot read the cursor, it starts from the beginning.
		cursor: stored === null ? null : (stored.value as Cursor),
		put: async (item) => {
			const customId = syncedCustomId(id, item.key);
			if (!customIds.has(customId) && customIds.size >= documentLimit)
				return step.warn("DOCUMENT_LIMIT_REACHED", `more than ${documentLimit} documents: the others are skipped`);
			try {
				await putItem(item, { currentConnection, organisation, tenant, world });
			} catch (thrown) {
				// It would be as large at the next try: the others go on without it, and without what it said before.
				if (!(thrown instanceof ServiceError) || thrown.code !== "FILE_TOO_LARGE") throw thrown;
				await remove(item.key);
				return step.warn(thrown.code, `${item.key.slice(0, 100)} is left out: ${thrown.message}`);
			}
			customIds.add(customId);
			report.put();
		},
		remove,
		storeCursor: async (cursor) => {
			await tenant.records.put("sync-cursor", id, cursor, { expected: null, expiresAt: null, now: world.now() });
		},
		elapsedMs: world.elapsedMs,
	};
}

/** The customIds of all documents that the connection has synced so far. */
async function syncedCustomIds(id: string, { documents }: TenantStore): Promise<Set<string>> {
	const customIds = new Set<string>();
	for await (const page of pagesByPrefix(syncedPrefix(id), documentsAtOnce, documents)) for (const { customId } of page) customIds.add(customId ?? "");
	return customIds;
}

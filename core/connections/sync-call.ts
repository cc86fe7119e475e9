/** What a sync does with the changes a connector reports: puts and removes documents, stores cursors. */

import { pagesByPrefix } from "../access/find-document.ts";
import type { OrganisationId } from "../model/id.ts";
import { syncedCustomId, syncedPrefix } from "../model/reserved-custom-ids.ts";
import type { Connector, ConnectorConfig, Cursor, Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import type { Connection } from "./connection.ts";
import { putItem } from "./put-item.ts";
import type { ProgressReport } from "./report-progress.ts";
import type { SyncCall } from "./run-sync.ts";

/** Page size of reads. */
const namesAtOnce = 500;

export interface SyncContext {
	readonly world: World;
	readonly connection: Connection;
	readonly connector: Connector;
	readonly config: ConnectorConfig;
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly report: ProgressReport;
	/** The current state of the connection, whose container may have changed. Throws when it was deleted, so that its removal finds no new documents. */
	readonly currentConnection: () => Promise<Connection>;
}

export async function syncCall(ground: SyncContext, step: Step): Promise<SyncCall> {
	const { connection, connector, config, organisation, tenant, report, world, currentConnection } = ground;
	const { id, documentLimit } = connection;
	const names = await knownNames(id, tenant);
	const kept = await tenant.records.get("sync-cursor", id, world.now());
	return {
		connector,
		config,
		// A cursor's content is up to the connector: one that it cannot read counts as none.
		cursor: kept === null ? null : (kept.value as Cursor),
		put: async (item) => {
			const name = syncedCustomId(id, item.key);
			if (!names.has(name) && names.size >= documentLimit) return step.warn("DOCUMENT_LIMIT", `more than ${documentLimit} documents: the rest is left out`);
			await putItem(item, await currentConnection(), { organisation, tenant, world });
			names.add(name);
			report.put();
		},
		remove: async (key) => {
			const name = syncedCustomId(id, key);
			const [document = null] = await tenant.documents.byCustomId(name, [], 1);
			names.delete(name);
			if (document === null) return;
			const orphans = await tenant.documents.remove(document.id, world.now());
			for (const blob of orphans ?? []) await tenant.blobs.remove(blob);
			report.removed();
		},
		keep: async (cursor) => {
			await tenant.records.put("sync-cursor", id, cursor, { expected: null, expiresAt: null, now: world.now() });
		},
		elapsedMs: world.elapsedMs,
	};
}

/** Of all the documents that it has brought so far. */
async function knownNames(id: string, { documents }: TenantStore): Promise<Set<string>> {
	const names = new Set<string>();
	for await (const page of pagesByPrefix(syncedPrefix(id), namesAtOnce, documents)) for (const { customId } of page) names.add(customId ?? "");
	return names;
}

/** Deletes all data of an organisation. The organisation itself, its keys, its audit events and its empty default container stay. */

import { removeContainer } from "../containers/remove-container.ts";
import { removeAll } from "../ingest/remove.ts";
import { defaultContainerTag } from "../model/container.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { RecordKind } from "../ports/record-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

export interface ResetCounts {
	readonly connections: number;
	readonly documents: number;
	readonly memories: number;
	/** Not counting the default container. */
	readonly containers: number;
	/** Whether the default container had a description or settings. */
	readonly clearedDefault: boolean;
}

/** Connections are removed first, so that they add no more documents. Stored idempotent responses expire by themselves, since that of this request may be among them. */
const kinds: readonly RecordKind[] = [
	"connection",
	"connection-claim",
	"sync-cursor",
	"sign-in",
	"webhook",
	"settings",
	"merge",
	"removal",
	"review",
	"model-answer",
];
/** Page size of reads. */
const recordsAtOnce = 1_000;

/** Safe to repeat after a crash at any point. */
export async function reset(tenant: TenantStore, world: World): Promise<ResetCounts> {
	const removed = new Map<RecordKind, number>();
	for (const kind of kinds) removed.set(kind, await removeRecords(kind, tenant, world));
	const memories = (await tenant.memories.list(wholeOrganisation, false, { offset: 0, limit: 1, sort: "createdAt", order: "asc" })).total;
	const documents = await removeAll(wholeOrganisation, tenant, world);
	await tenant.removals.expireAll();
	const others = (await tenant.containers.list()).filter(({ container }) => container.tag !== defaultContainerTag);
	for (const { container } of others) await removeContainer(container.tag, tenant, world);
	return { connections: removed.get("connection") ?? 0, documents, memories, containers: others.length, clearedDefault: await clearDefault(tenant, world) };
}

async function removeRecords(kind: RecordKind, { records }: TenantStore, world: World): Promise<number> {
	let removed = 0;
	for (;;) {
		const page = await records.list(kind, null, recordsAtOnce, world.now());
		for (const { id } of page) await records.remove(kind, id);
		removed += page.length;
		if (page.length < recordsAtOnce) return removed;
	}
}

async function clearDefault({ containers }: TenantStore, world: World): Promise<boolean> {
	const known = await containers.get(defaultContainerTag);
	if (known === null) return false;
	const nothing = { name: null, emoji: null, description: null, entityContext: null, memoryFilesystemPaths: null, profileBuckets: [] };
	await containers.change(defaultContainerTag, nothing, world.now());
	const { name, emoji, entityContext, memoryFilesystemPaths, profileBuckets } = known;
	return name !== null || emoji !== null || entityContext !== null || memoryFilesystemPaths !== null || profileBuckets.length > 0;
}

/** Undoes forgetting: for one memory, several, or all that one request has forgotten. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId, type RemovalId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

/** What to restore. Memories that are unknown, not forgotten or in another container are skipped, unless a single one is named. */
export type RestoreRequest =
	| { readonly kind: "one"; readonly id: string }
	| { readonly kind: "several"; readonly ids: readonly string[] }
	| { readonly kind: "batch"; readonly batch: string };

export interface RestoreParts {
	readonly tenant: TenantStore;
	/** Records of the organisation, open to every key: a batch only lists ids, and memories themselves are read through the tenant store. */
	readonly records: RecordStore;
	readonly world: World;
	readonly undoMs: number;
}

/** Keeps the names of what is forgotten together for as long as they can be restored. */
export async function noteBatch(batch: RemovalId, containerTag: string, ids: readonly MemoryId[], { records, world, undoMs }: RestoreParts): Promise<void> {
	if (undoMs === 0) return;
	const now = world.now();
	await records.put("removal", batch, { containerTag, ids: [...ids] }, { expected: null, expiresAt: new Date(now.getTime() + undoMs), now });
}

/** @throws ServiceError `MEMORY_MISSING`, `MEMORY_NOT_FORGOTTEN`, `UNDO_EXPIRED` */
export async function restoreMemories(containerTag: string, request: RestoreRequest, parts: RestoreParts): Promise<readonly Memory[]> {
	const { tenant, records, world } = parts;
	const named = await namedBy(request, containerTag, parts);
	const ids = [...new Set(named.filter(isId))].map((id) => asId<MemoryId>(id));
	const memories = (await tenant.memories.get(ids)).filter((memory) => memory.containerTag === containerTag);
	if (request.kind === "one") demandRestorable(memories[0], parts);
	const restorable = memories.filter((memory) => memory.isForgotten && isInTime(memory, parts));
	await tenant.memories.restore(
		restorable.map(({ id }) => id),
		world.now(),
	);
	if (request.kind === "batch") await records.remove("removal", request.batch);
	return tenant.memories.get(restorable.map(({ id }) => id));
}

async function namedBy(request: RestoreRequest, containerTag: string, parts: RestoreParts): Promise<readonly string[]> {
	if (request.kind === "batch") return batchOf(request.batch, containerTag, parts);
	return request.kind === "one" ? [request.id] : request.ids;
}

function demandRestorable(memory: Memory | undefined, parts: RestoreParts): void {
	if (memory === undefined) throw fail("MEMORY_MISSING");
	if (!memory.isForgotten) throw fail("MEMORY_NOT_FORGOTTEN");
	if (!isInTime(memory, parts)) throw fail("UNDO_EXPIRED");
}

/** Only a review changes `updatedAt` of a forgotten memory, and the reviewer sees that it is forgotten. */
function isInTime({ updatedAt }: Memory, { world, undoMs }: RestoreParts): boolean {
	return world.now().getTime() < updatedAt.getTime() + undoMs;
}

async function batchOf(batch: string, containerTag: string, { records, world }: RestoreParts): Promise<readonly string[]> {
	const kept = isId(batch) ? await records.get("removal", batch, world.now()) : null;
	const value = kept?.value;
	if (!isBatch(value) || value.containerTag !== containerTag) throw fail("UNDO_EXPIRED");
	return value.ids;
}

function isBatch(value: Json | undefined): value is { readonly containerTag: string; readonly ids: readonly string[] } {
	return typeof value === "object" && value !== null && "containerTag" in value && "ids" in value && Array.isArray(value["ids"]);
}

/** Restores forgotten memories: one, several, or all that one request has forgotten. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId, type RemovalId } from "../model/id.ts";
import type { Json } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

/** What to restore. Memories that are unknown, not forgotten or in another container are skipped; for `one` they are an error. */
export type RestoreRequest =
	| { readonly kind: "one"; readonly id: string }
	| { readonly kind: "several"; readonly ids: readonly string[] }
	| { readonly kind: "batch"; readonly batch: string };

export interface RestoreParts {
	readonly tenant: TenantStore;
	/** The records of the whole organisation. A batch contains only ids; memories are read through `tenant`, which checks the key's grants. */
	readonly records: RecordStore;
	readonly world: World;
	readonly undoMs: number;
}

/** Stores the ids of memories that are forgotten together at `now`, for as long as they can be restored. When the record expires, the storage ends that. */
export async function storeBatch(
	batch: RemovalId,
	containerTag: string,
	ids: readonly MemoryId[],
	now: Date,
	{ records, undoMs }: RestoreParts,
): Promise<void> {
	const value = { containerTag, ids: [...ids], at: now.getTime() };
	await records.put("removal", batch, value, { expected: null, expiresAt: new Date(now.getTime() + undoMs), now });
}

/** @throws ServiceError `MEMORY_MISSING`, `MEMORY_NOT_FORGOTTEN`, `UNDO_EXPIRED` */
export async function restoreMemories(containerTag: string, request: RestoreRequest, parts: RestoreParts): Promise<readonly Memory[]> {
	const { tenant, records, world } = parts;
	const requestedIds = await idsOf(request, containerTag, parts);
	const ids = [...new Set(requestedIds.filter(isId))].map((id) => asId<MemoryId>(id));
	const memories = (await tenant.memories.get(ids)).filter((memory) => memory.containerTag === containerTag);
	if (request.kind === "one") demandRestorable(memories[0], parts);
	const restorable = memories.filter((memory) => memory.isForgotten && canBeUndone(memory, parts));
	await tenant.memories.restore(
		restorable.map(({ id }) => id),
		world.now(),
	);
	if (request.kind === "batch") await records.remove("removal", request.batch);
	return tenant.memories.get(restorable.map(({ id }) => id));
}

async function idsOf(request: RestoreRequest, containerTag: string, parts: RestoreParts): Promise<readonly string[]> {
	if (request.kind === "batch") return batchOf(request.batch, containerTag, parts);
	return request.kind === "one" ? [request.id] : request.ids;
}

function demandRestorable(memory: Memory | undefined, parts: RestoreParts): void {
	if (memory === undefined) throw fail("MEMORY_MISSING");
	if (!memory.isForgotten) throw fail("MEMORY_NOT_FORGOTTEN");
	if (!canBeUndone(memory, parts)) throw fail("UNDO_EXPIRED");
}

/** `updatedAt` is when the memory was forgotten. Only a review changes it later, and the reviewer sees that the memory is forgotten. */
function canBeUndone({ updatedAt }: Memory, { world, undoMs }: RestoreParts): boolean {
	return world.now().getTime() < updatedAt.getTime() + undoMs;
}

async function batchOf(batch: string, containerTag: string, { records, world }: RestoreParts): Promise<readonly string[]> {
	const record = isId(batch) ? await records.get("removal", batch, world.now()) : null;
	const value = record?.value;
	if (!isBatch(value) || value.containerTag !== containerTag) throw fail("UNDO_EXPIRED");
	return value.ids;
}

function isBatch(value: Json | undefined): value is { readonly containerTag: string; readonly ids: readonly string[] } {
	return typeof value === "object" && value !== null && "containerTag" in value && "ids" in value && Array.isArray(value["ids"]);
}

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

/**
 * Stores the ids of memories that are forgotten together at `now`, for as long as they can be restored. When the record expires, the storage
 * ends that: a setting that changes later changes nothing about it.
 */
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
	if (request.kind === "batch") return restoreBatch(request.batch, containerTag, parts);
	const now = parts.world.now();
	const memories = await memoriesOf(request.kind === "one" ? [request.id] : request.ids, containerTag, parts);
	if (request.kind === "one") demandForgotten(memories[0]);
	// A memory forgotten by an earlier version has no batch that ends. `updatedAt` is when it was forgotten: only a review changes it later.
	const recent = memories.filter(({ updatedAt }) => now.getTime() < updatedAt.getTime() + parts.undoMs);
	const restored = await restoreForgotten(recent, now, parts);
	if (request.kind === "one" && restored.length === 0) throw fail("UNDO_EXPIRED");
	return restored;
}

/** The batch keeps the memories that stay forgotten or are set aside with a document: these can be restored when it is back, and end when the batch does. */
async function restoreBatch(batch: string, containerTag: string, parts: RestoreParts): Promise<readonly Memory[]> {
	const { records, world } = parts;
	const now = world.now();
	const record = isId(batch) ? await records.get("removal", batch, now) : null;
	if (record === null || !isBatch(record.value) || record.value.containerTag !== containerTag) throw fail("UNDO_EXPIRED");
	const memories = await memoriesOf(record.value.ids, containerTag, parts);
	const restored = await restoreForgotten(memories, now, parts);
	const visible = new Set<string>([...memories.filter(({ isForgotten }) => !isForgotten), ...restored].map(({ id }) => id));
	const ids = record.value.ids.filter((id) => !visible.has(id));
	if (ids.length === 0) await records.remove("removal", batch);
	else await records.put("removal", batch, { ...record.value, ids }, { expected: record.version, expiresAt: record.expiresAt, now });
	return restored;
}

async function memoriesOf(ids: readonly string[], containerTag: string, { tenant }: RestoreParts): Promise<readonly Memory[]> {
	const known = [...new Set(ids.filter(isId))].map((id) => asId<MemoryId>(id));
	return (await tenant.memories.get(known)).filter((memory) => memory.containerTag === containerTag);
}

/** Those that can still be restored: the storage knows, since it deletes what cannot. */
async function restoreForgotten(memories: readonly Memory[], now: Date, { tenant }: RestoreParts): Promise<readonly Memory[]> {
	const forgotten = memories.filter(({ isForgotten }) => isForgotten).map(({ id }) => id);
	await tenant.memories.restore(forgotten, now);
	return (await tenant.memories.get(forgotten)).filter(({ isForgotten }) => !isForgotten);
}

function demandForgotten(memory: Memory | undefined): void {
	if (memory === undefined) throw fail("MEMORY_MISSING");
	if (!memory.isForgotten) throw fail("MEMORY_NOT_FORGOTTEN");
}

function isBatch(value: Json): value is { readonly containerTag: string; readonly ids: readonly string[] } {
	return typeof value === "object" && value !== null && "containerTag" in value && "ids" in value && Array.isArray(value["ids"]);
}

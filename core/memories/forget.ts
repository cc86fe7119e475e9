/** Forgets one memory, or all that match. A forgotten memory is hidden, not deleted. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId, newId, type RemovalId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { Step } from "../plugin/contract.ts";
import { queryVariants } from "../search/query-variants.ts";
import { retrieveMemories } from "../search/retrieve.ts";
import type { WriteDependencies } from "./create.ts";
import { findMemory, type MemoryReference } from "./find.ts";
import { type RestoreParts, storeBatch } from "./restore.ts";

export interface ForgottenBatch {
	/** Identifies everything that was forgotten together, so that it can be restored. */
	readonly batch: RemovalId;
	readonly count: number;
}

/** The batch is stored before anything is forgotten. After a crash in between, it lists memories that are still visible, which is harmless. */
export async function forgetMemories(containerTag: string, ids: readonly MemoryId[], reason: string | null, parts: RestoreParts): Promise<ForgottenBatch> {
	const batch = newId<RemovalId>(parts.world.randomBytes);
	const now = parts.world.now();
	if (ids.length > 0) await storeBatch(batch, containerTag, ids, now, parts);
	return { batch, count: await parts.tenant.memories.forget(ids, reason, now) };
}

/** @throws ServiceError `MEMORY_MISSING`, `MEMORY_FORGOTTEN` */
export async function forgetMemory(
	containerTag: string,
	reference: MemoryReference,
	reason: string | null,
	parts: RestoreParts,
): Promise<{ readonly memory: Memory; readonly batch: RemovalId }> {
	const memory = await findMemory(containerTag, reference, parts.tenant.memories);
	if (memory.isForgotten) throw fail("MEMORY_FORGOTTEN");
	const { batch, count } = await forgetMemories(containerTag, [memory.id], reason, parts);
	if (count === 0) throw fail("MEMORY_FORGOTTEN");
	return { memory, batch };
}

export interface Match {
	readonly memory: Memory;
	/** The relevance; 1 if the memory was requested by id. */
	readonly score: number;
}

export interface MatchRequest {
	readonly containerTag: string;
	/** If there are ids, the query is ignored. Unknown ids, and those in another container, are skipped. */
	readonly ids: readonly string[] | null;
	readonly query: string;
	readonly threshold: number;
	readonly limit: number;
}

/** The memories that would be forgotten, the best match first. */
export async function findMatching(
	{ containerTag, ids, query, threshold, limit }: MatchRequest,
	{ tenant, embedder, world }: WriteDependencies,
	step: Step,
): Promise<readonly Match[]> {
	if (ids !== null) {
		const memories = await tenant.memories.get([...new Set(ids.filter(isId))].map((id) => asId<MemoryId>(id)));
		return memories.filter((memory) => memory.containerTag === containerTag && memory.isLatest && !memory.isForgotten).map((memory) => ({ memory, score: 1 }));
	}
	const variants = await queryVariants(query, [], embedder, step);
	const memoryFilter = { scope: { ...wholeOrganisation, containerTags: [containerTag], tagsMatch: "any" }, includeForgotten: false, now: world.now() } as const;
	const { candidates } = await retrieveMemories(variants, memoryFilter, limit, tenant, embedder.space);
	const wanted = candidates.filter(({ score }) => score >= threshold).slice(0, limit);
	const memories = new Map((await tenant.memories.get(wanted.map(({ hit }) => hit.id))).map((memory) => [memory.id, memory]));
	return wanted.flatMap(({ hit, score }) => {
		const memory = memories.get(hit.id);
		return memory === undefined ? [] : [{ memory, score }];
	});
}

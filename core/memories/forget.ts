/** Forgetting: one memory, or all that match. A forgotten memory is hidden, not erased. */

import { fail } from "../errors/fail.ts";
import { asId, isId, type MemoryId, newId, type RemovalId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { Step } from "../plugin/contract.ts";
import { queryVariants } from "../search/query-variants.ts";
import { retrieveMemories } from "../search/retrieve.ts";
import type { WritingParts } from "./create.ts";
import { findMemory, type MemoryName } from "./find.ts";
import { noteBatch, type RestoreParts } from "./restore.ts";

export interface Forgotten {
	/** Names all that was forgotten at once, so that it can be restored. */
	readonly batch: RemovalId;
	readonly count: number;
}

/** Stored before anything is forgotten: after a crash in between, the batch names memories that are still visible. */
export async function forgetMemories(containerTag: string, ids: readonly MemoryId[], reason: string | null, parts: RestoreParts): Promise<Forgotten> {
	const batch = newId<RemovalId>(parts.world.randomBytes);
	if (ids.length > 0) await noteBatch(batch, containerTag, ids, parts);
	return { batch, count: await parts.tenant.memories.forget(ids, reason, parts.world.now()) };
}

/** @throws ServiceError `MEMORY_MISSING`, `MEMORY_FORGOTTEN` */
export async function forgetMemory(
	containerTag: string,
	name: MemoryName,
	reason: string | null,
	parts: RestoreParts,
): Promise<{ readonly memory: Memory; readonly batch: RemovalId }> {
	const memory = await findMemory(containerTag, name, parts.tenant.memories);
	if (memory.isForgotten) throw fail("MEMORY_FORGOTTEN");
	const { batch, count } = await forgetMemories(containerTag, [memory.id], reason, parts);
	if (count === 0) throw fail("MEMORY_FORGOTTEN");
	return { memory, batch };
}

export interface Match {
	readonly memory: Memory;
	/** 1 where it was named by its id. */
	readonly score: number;
}

export interface MatchRequest {
	readonly containerTag: string;
	/** Ids win over a query. Unknown ids, and those of another container, are skipped. */
	readonly ids: readonly string[] | null;
	readonly query: string;
	readonly threshold: number;
	readonly limit: number;
}

/** What would be forgotten, the best match first. */
export async function findMatching(
	{ containerTag, ids, query, threshold, limit }: MatchRequest,
	{ tenant, embedder, world }: WritingParts,
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

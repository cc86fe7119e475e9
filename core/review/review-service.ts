/** Reviews by people: they approve or decline inferred memories, undo that, and confirm that facts are still true. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import { reviewDateOf } from "../model/ageing.ts";
import type { Caller } from "../model/caller.ts";
import { asId, isId, type MemoryId } from "../model/id.ts";
import { isCurrent, type Memory } from "../model/memory.ts";
import type { Parts } from "../parts.ts";
import type { Position } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";

export const reviewActions = ["approve", "decline", "undo"] as const;
export type ReviewAction = (typeof reviewActions)[number];
export type ReviewStatus = "approved" | "declined";

/** The metadata key that stores the status; clients read it under this name. */
const statusKey = "reviewStatus";
const declinedBecause = "declined in review";

export interface InferredMemory {
	readonly memory: Memory;
	/** How many memories it was inferred from. */
	readonly parents: number;
}

export interface DuePage {
	readonly containerTag: string;
	readonly limit: number;
	readonly after: Position | null;
}

export interface DueMemories {
	readonly memories: readonly Memory[];
	/** Where the next page begins; null at the end. */
	readonly next: Position | null;
}

export interface ReviewService {
	/** Inferred memories without a review: those inferred from most memories first, then the newest. */
	readonly pending: (caller: Caller, containerTag: string) => Promise<{ readonly shown: readonly InferredMemory[]; readonly total: number }>;
	/** Current facts whose review date has come, the oldest date first. */
	readonly due: (caller: Caller, page: DuePage) => Promise<DueMemories>;
	/** Confirms that a fact is still true, and sets its next review date. @throws ServiceError `MEMORY_MISSING`, `MEMORY_NOT_REVIEWABLE` */
	readonly confirm: (caller: Caller, containerTag: string, id: string) => Promise<Memory>;
	/** @throws ServiceError `MEMORY_MISSING`, `MEMORY_NOT_REVIEWABLE` */
	readonly review: (caller: Caller, containerTag: string, id: string, action: ReviewAction) => Promise<Memory>;
}

/** Limit of the API contract. */
const listedMax = 50;
/** If there are more, only the newest are sorted. */
const sortedMax = 1_000;

export function createReviewService({ storage, world }: Pick<Parts, "storage" | "world">): ReviewService {
	async function find(containerTag: string, id: string, tenant: TenantStore): Promise<Memory> {
		const [memory] = isId(id) ? await tenant.memories.get([asId<MemoryId>(id)]) : [];
		if (memory === undefined || memory.containerTag !== containerTag) throw fail("MEMORY_MISSING");
		return memory;
	}

	/** Applies a review. A review that was interrupted can be repeated, since the stored status always shows whether it was completed. */
	async function applyAction(action: ReviewAction, memory: Memory, { memories }: TenantStore): Promise<void> {
		const now = world.now();
		const { [statusKey]: status, ...metadata } = memory.metadata;
		if (action === "undo") {
			if (status !== "approved" && status !== "declined") throw fail("MEMORY_NOT_REVIEWABLE", "there is no review to undo");
			if (status === "declined") await memories.restore([memory.id], now);
			await memories.amend(memory.id, { isInference: true, metadata }, now);
			return;
		}
		if (status !== undefined) throw fail("MEMORY_NOT_REVIEWABLE", `it was ${String(status)} already`);
		const isPartlyDeclined = memory.isForgotten && memory.forgetReason === declinedBecause;
		if (!memory.isInference || !(isCurrent(memory, now) || isPartlyDeclined)) throw fail("MEMORY_NOT_REVIEWABLE", "it is not a current inference");
		if (action === "decline") await memories.forget([memory.id], declinedBecause, now);
		else if (isPartlyDeclined) await memories.restore([memory.id], now);
		const reviewStatus: ReviewStatus = action === "approve" ? "approved" : "declined";
		await memories.amend(memory.id, { isInference: action === "decline", metadata: { ...metadata, [statusKey]: reviewStatus } }, now);
	}

	return {
		pending: async (caller, containerTag) => {
			const { profiles, memories } = authorize(storage, caller);
			const inferred = (await profiles.recent(containerTag, "inferred", sortedMax, world.now())).filter(({ metadata }) => metadata[statusKey] === undefined);
			const edges = (await memories.edges(inferred.map(({ id }) => id))).filter(({ relation }) => relation === "derives");
			const parents = Map.groupBy(edges, ({ from }) => from);
			const counted = inferred.map((memory) => ({ memory, parents: parents.get(memory.id)?.length ?? 0 }));
			return { shown: counted.toSorted((a, b) => b.parents - a.parents).slice(0, listedMax), total: counted.length };
		},
		due: async (caller, { containerTag, limit, after }) => {
			const { memories } = authorize(storage, caller);
			const found = await memories.due(containerTag, world.now(), limit + 1, after);
			const dueMemories = found.slice(0, limit);
			const last = dueMemories.at(-1);
			const next = found.length > limit && last?.reviewAfter !== undefined ? { at: last.reviewAfter, id: last.id } : null;
			return { memories: dueMemories, next };
		},
		confirm: async (caller, containerTag, id) => {
			const tenant = authorize(storage, caller);
			const memory = await find(containerTag, id, tenant);
			const now = world.now();
			if (!isCurrent(memory, now)) throw fail("MEMORY_NOT_REVIEWABLE", "it is not current");
			const reviewAfter = reviewDateOf(memory, null, now);
			if (reviewAfter === null) throw fail("MEMORY_NOT_REVIEWABLE", "it is not a fact with a review date");
			await tenant.memories.amend(memory.id, { reviewAfter }, now);
			return { ...memory, reviewAfter, updatedAt: now };
		},
		review: async (caller, containerTag, id, action) => {
			const tenant = authorize(storage, caller);
			await applyAction(action, await find(containerTag, id, tenant), tenant);
			return find(containerTag, id, tenant);
		},
	};
}

export function reviewStatusOf({ metadata }: Memory): ReviewStatus | null {
	const { [statusKey]: status } = metadata;
	return status === "approved" || status === "declined" ? status : null;
}

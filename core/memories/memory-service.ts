/** What the server may ask about memories besides searching them. */

import type { MemoryId, OrganisationId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import { createStep } from "../pipeline/step.ts";
import type { Page } from "../ports/document-store.ts";
import { createMemories, type Written, type WrittenMemory } from "./create.ts";
import type { MemoryName } from "./find.ts";
import { findMatching, forgetMemory, type Match, type MatchRequest } from "./forget.ts";
import { historyOf } from "./history.ts";
import { type MemoryRevision, reviseMemory } from "./revise.ts";

export interface ListedEntry {
	readonly memory: Memory;
	/** Older versions, the newest first. */
	readonly history: readonly Memory[];
	/** Every edge that begins or ends at it. */
	readonly edges: readonly MemoryEdge[];
}

export interface MemoryService {
	readonly create: (organisation: OrganisationId, containerTag: string, memories: readonly WrittenMemory[], signal: AbortSignal) => Promise<Written>;
	readonly revise: (organisation: OrganisationId, containerTag: string, name: MemoryName, revision: MemoryRevision, signal: AbortSignal) => Promise<Memory>;
	readonly forget: (organisation: OrganisationId, containerTag: string, name: MemoryName, reason: string | null) => Promise<Memory>;
	readonly matching: (organisation: OrganisationId, request: MatchRequest, signal: AbortSignal) => Promise<readonly Match[]>;
	readonly forgetAll: (organisation: OrganisationId, ids: readonly MemoryId[], reason: string | null) => Promise<void>;
	/** The latest versions, forgotten ones included. */
	readonly list: (organisation: OrganisationId, scope: Scope, page: Page) => Promise<{ readonly entries: readonly ListedEntry[]; readonly total: number }>;
}

export function createMemoryService(parts: Parts): MemoryService {
	const { storage, world } = parts;
	const writing = (organisation: OrganisationId) => ({ ...parts, rooms: storage.organisation(organisation) });
	return {
		create: (organisation, containerTag, memories, signal) =>
			createMemories(containerTag, memories, organisation, writing(organisation), createStep(world, signal)),
		revise: (organisation, containerTag, name, revision, signal) =>
			reviseMemory(containerTag, name, revision, writing(organisation), createStep(world, signal)),
		forget: (organisation, containerTag, name, reason) => forgetMemory(containerTag, name, reason, storage.organisation(organisation), world),
		matching: (organisation, request, signal) => findMatching(request, writing(organisation), createStep(world, signal)),
		forgetAll: async (organisation, ids, reason) => {
			await storage.organisation(organisation).memories.forget(ids, reason, world.now());
		},
		list: async (organisation, scope, page) => {
			const { memories: store } = storage.organisation(organisation);
			const { memories, total } = await store.list(scope, true, page);
			const [histories, edges] = await Promise.all([historyOf(memories, store), store.edges(memories.map(({ id }) => id))]);
			const entries = memories.map((memory) => ({
				memory,
				history: histories.get(memory.id) ?? [],
				edges: edges.filter(({ from, to }) => from === memory.id || to === memory.id),
			}));
			return { entries, total };
		},
	};
}

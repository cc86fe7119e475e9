/** What the server may ask about memories besides searching them. */

import { openRooms } from "../access/open-rooms.ts";
import { cutPage, withOneMore } from "../browse/cut-page.ts";
import type { Caller } from "../model/caller.ts";
import type { MemoryId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import { createStep } from "../pipeline/step.ts";
import type { Page, Position } from "../ports/document-store.ts";
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

export interface ListedEntries {
	readonly entries: readonly ListedEntry[];
	readonly total: number;
	/** Where the next page begins; null at the end. */
	readonly next: Position | null;
}

export interface MemoryService {
	readonly create: (caller: Caller, containerTag: string, memories: readonly WrittenMemory[], signal: AbortSignal) => Promise<Written>;
	readonly revise: (caller: Caller, containerTag: string, name: MemoryName, revision: MemoryRevision, signal: AbortSignal) => Promise<Memory>;
	readonly forget: (caller: Caller, containerTag: string, name: MemoryName, reason: string | null) => Promise<Memory>;
	readonly matching: (caller: Caller, request: MatchRequest, signal: AbortSignal) => Promise<readonly Match[]>;
	readonly forgetAll: (caller: Caller, ids: readonly MemoryId[], reason: string | null) => Promise<void>;
	/** The latest versions, forgotten ones included. */
	readonly list: (caller: Caller, scope: Scope, page: Page) => Promise<ListedEntries>;
}

export function createMemoryService(parts: Parts): MemoryService {
	const { storage, world } = parts;
	const rooms = (caller: Caller) => openRooms(storage, caller);
	const writing = (caller: Caller) => ({ ...parts, rooms: rooms(caller) });
	return {
		create: (caller, containerTag, memories, signal) => createMemories(containerTag, memories, caller.organisation, writing(caller), createStep(world, signal)),
		revise: (caller, containerTag, name, revision, signal) => reviseMemory(containerTag, name, revision, writing(caller), createStep(world, signal)),
		forget: (caller, containerTag, name, reason) => forgetMemory(containerTag, name, reason, rooms(caller), world),
		matching: (caller, request, signal) => findMatching(request, writing(caller), createStep(world, signal)),
		forgetAll: async (caller, ids, reason) => {
			await rooms(caller).memories.forget(ids, reason, world.now());
		},
		list: async (caller, scope, page) => {
			const { memories: store } = rooms(caller);
			const listed = await store.list(scope, true, withOneMore(page));
			const { shown: memories, next } = cutPage(listed.memories, page);
			const [histories, edges] = await Promise.all([historyOf(memories, store), store.edges(memories.map(({ id }) => id))]);
			const entries = memories.map((memory) => ({
				memory,
				history: histories.get(memory.id) ?? [],
				edges: edges.filter(({ from, to }) => from === memory.id || to === memory.id),
			}));
			return { entries, total: listed.total, next };
		},
	};
}

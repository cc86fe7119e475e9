/** What the server may ask about memories besides searching them. */

import { authorize, demandRole } from "../access/authorize.ts";
import { boundsOf } from "../access/bounds.ts";
import { cutPage, withOneMore } from "../browse/cut-page.ts";
import { shownEdges } from "../browse/shown-edges.ts";
import { meteredStep } from "../language/meter.ts";
import type { Caller } from "../model/caller.ts";
import type { MemoryId, RemovalId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { Page, Position } from "../ports/document-store.ts";
import { createMemories, type Written, type WrittenMemory } from "./create.ts";
import type { MemoryName } from "./find.ts";
import { findMatching, forgetMemories, forgetMemory, type Match, type MatchRequest } from "./forget.ts";
import { type GraphRequest, type MemoryGraph, memoryGraph } from "./graph.ts";
import { historyOf } from "./history.ts";
import { type RestoreRequest, restoreMemories } from "./restore.ts";
import { type MemoryRevision, reviseMemory } from "./revise.ts";

export interface ListedEntry {
	readonly memory: Memory;
	/** Older versions, the newest first. */
	readonly history: readonly Memory[];
	/** The first of those that begin or end at it, see `shownEdges`. */
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
	readonly forget: (caller: Caller, containerTag: string, name: MemoryName, reason: string | null) => ReturnType<typeof forgetMemory>;
	readonly matching: (caller: Caller, request: MatchRequest, signal: AbortSignal) => Promise<readonly Match[]>;
	/** @returns the name under which all of them can be restored. */
	readonly forgetAll: (caller: Caller, containerTag: string, ids: readonly MemoryId[], reason: string | null) => Promise<RemovalId>;
	/** Takes forgetting back. @returns what is shown again. */
	readonly restore: (caller: Caller, containerTag: string, request: RestoreRequest) => Promise<readonly Memory[]>;
	/** Memories with their links, as they are now. */
	readonly graph: (caller: Caller, request: GraphRequest) => Promise<MemoryGraph>;
	/** The latest versions, forgotten ones included. */
	readonly list: (caller: Caller, scope: Scope, page: Page) => Promise<ListedEntries>;
}

/** @param undoMs how long what was forgotten can be restored */
export function createMemoryService(parts: Parts, undoMs: number): MemoryService {
	const { storage, world } = parts;
	const tenant = (caller: Caller) => authorize(storage, caller);
	/** For forgetting and for taking it back: the batch is kept beside the tenant stores, so a key that may not write there is refused before. */
	const forgetting = (caller: Caller, containerTag: string) => {
		demandRole(caller, "write");
		if (caller.grants !== null) boundsOf(caller.grants).demandWritable([containerTag]);
		return { tenant: tenant(caller), records: storage.organisation(caller.organisation).records, world, undoMs };
	};

	const stepFor = ({ organisation }: Caller, signal: AbortSignal) => meteredStep(storage.organisation(organisation).records, world, signal);
	const writing = (caller: Caller) => ({ ...parts, tenant: tenant(caller) });
	return {
		create: (caller, containerTag, memories, signal) => createMemories(containerTag, memories, caller.organisation, writing(caller), stepFor(caller, signal)),
		revise: (caller, containerTag, name, revision, signal) => reviseMemory(containerTag, name, revision, writing(caller), stepFor(caller, signal)),
		forget: async (caller, containerTag, name, reason) => forgetMemory(containerTag, name, reason, forgetting(caller, containerTag)),
		matching: (caller, request, signal) => findMatching(request, writing(caller), stepFor(caller, signal)),
		forgetAll: async (caller, containerTag, ids, reason) => (await forgetMemories(containerTag, ids, reason, forgetting(caller, containerTag))).batch,
		restore: async (caller, containerTag, request) => restoreMemories(containerTag, request, forgetting(caller, containerTag)),
		graph: async (caller, request) => memoryGraph(request, tenant(caller), world.now()),
		list: async (caller, scope, page) => {
			const { memories: store } = tenant(caller);
			const listed = await store.list(scope, true, withOneMore(page));
			const { shown: memories, next } = cutPage(listed.memories, page);
			const ids = memories.map(({ id }) => id);
			const [histories, edges] = await Promise.all([historyOf(memories, store), shownEdges(ids, store)]);
			const entries = memories.map((memory) => ({
				memory,
				history: histories.get(memory.id) ?? [],
				edges: edges.get(memory.id) ?? [],
			}));
			return { entries, total: listed.total, next };
		},
	};
}

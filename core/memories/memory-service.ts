/** The memory service of the server: everything about memories except searching them. */

import { authorize, demandRole } from "../access/authorize.ts";
import { boundsOf } from "../access/bounds.ts";
import { cutPage, withOneMore } from "../browse/cut-page.ts";
import { shownEdges } from "../browse/shown-edges.ts";
import { meteredStep } from "../language/step.ts";
import type { Caller } from "../model/caller.ts";
import type { MemoryId, RemovalId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { Page, Position } from "../ports/document-store.ts";
import { type ClientMemory, type CreatedMemories, createMemories } from "./create.ts";
import type { MemoryReference } from "./find.ts";
import { findMatching, forgetMemories, forgetMemory, type Match, type MatchRequest } from "./forget.ts";
import { type GraphRequest, type MemoryGraph, memoryGraph } from "./graph.ts";
import { historyOf } from "./history.ts";
import { type RestoreRequest, restoreMemories } from "./restore.ts";
import { type MemoryRevision, reviseMemory } from "./revise.ts";

export interface ListedEntry {
	readonly memory: Memory;
	/** The older versions, newest first. */
	readonly history: readonly Memory[];
	/** The first edges from or to the memory, see `shownEdges`. */
	readonly edges: readonly MemoryEdge[];
}

export interface ListedEntries {
	readonly entries: readonly ListedEntry[];
	readonly total: number;
	/** The position after which the next page begins; null at the end. */
	readonly next: Position | null;
}

export interface MemoryService {
	readonly create: (caller: Caller, containerTag: string, memories: readonly ClientMemory[], signal: AbortSignal) => Promise<CreatedMemories>;
	readonly revise: (caller: Caller, containerTag: string, name: MemoryReference, revision: MemoryRevision, signal: AbortSignal) => Promise<Memory>;
	readonly forget: (caller: Caller, containerTag: string, name: MemoryReference, reason: string | null) => ReturnType<typeof forgetMemory>;
	readonly matching: (caller: Caller, request: MatchRequest, signal: AbortSignal) => Promise<readonly Match[]>;
	/** @returns the id with which all of them can be restored. */
	readonly forgetAll: (caller: Caller, containerTag: string, ids: readonly MemoryId[], reason: string | null) => Promise<RemovalId>;
	/** Restores forgotten memories. @returns the restored memories. */
	readonly restore: (caller: Caller, containerTag: string, request: RestoreRequest) => Promise<readonly Memory[]>;
	/** Current memories with their edges. */
	readonly graph: (caller: Caller, request: GraphRequest) => Promise<MemoryGraph>;
	/** The latest versions, and forgotten and expired ones only if they are included. */
	readonly list: (caller: Caller, scope: Scope, page: Page, includeForgotten: boolean) => Promise<ListedEntries>;
}

/** @param undoMs how long forgotten memories can be restored */
export function createMemoryService(parts: Parts, undoMs: number): MemoryService {
	const { storage, world } = parts;
	const tenant = (caller: Caller) => authorize(storage, caller);
	/** For forgetting and restoring. The batch is stored outside the caller's scoped store, so the right to write is checked here. */
	const forgetParts = (caller: Caller, containerTag: string) => {
		demandRole(caller, "write");
		if (caller.grants !== null) boundsOf(caller.grants).demandWritable([containerTag]);
		return { tenant: tenant(caller), records: storage.organisation(caller.organisation).records, world, undoMs };
	};

	const stepFor = ({ organisation }: Caller, signal: AbortSignal) => meteredStep(storage.organisation(organisation).records, world, signal);
	const writeParts = (caller: Caller) => ({ ...parts, tenant: tenant(caller) });
	return {
		create: (caller, containerTag, memories, signal) =>
			createMemories(containerTag, memories, caller.organisation, writeParts(caller), stepFor(caller, signal)),
		revise: (caller, containerTag, name, revision, signal) => reviseMemory(containerTag, name, revision, writeParts(caller), stepFor(caller, signal)),
		forget: async (caller, containerTag, name, reason) => forgetMemory(containerTag, name, reason, forgetParts(caller, containerTag)),
		matching: (caller, request, signal) => findMatching(request, writeParts(caller), stepFor(caller, signal)),
		forgetAll: async (caller, containerTag, ids, reason) => (await forgetMemories(containerTag, ids, reason, forgetParts(caller, containerTag))).batch,
		restore: async (caller, containerTag, request) => restoreMemories(containerTag, request, forgetParts(caller, containerTag)),
		graph: async (caller, request) => memoryGraph(request, tenant(caller), world.now()),
		list: async (caller, scope, page, includeForgotten) => {
			const { memories: store } = tenant(caller);
			const listed = await store.list(scope, true, withOneMore(page), includeForgotten ? undefined : { now: world.now() });
			const { items: memories, next } = cutPage(listed.memories, page);
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

/** Memories and their edges, page by page, for drawing a graph. It has no memory that a search would not return. */

import { cutPage, withOneMore } from "../browse/cut-page.ts";
import type { Document } from "../model/document.ts";
import type { MemoryId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { isCurrent, type Memory, type MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { Page, Position } from "../ports/document-store.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { historyOf } from "./history.ts";

export interface GraphRequest {
	readonly scope: Scope;
	readonly page: Page;
	readonly includeDocuments: boolean;
	/** Null for what is known now. */
	readonly knownAt: Date | null;
}

/** One page. Both ends of every edge are among its memories, so a page is a complete graph; pages can be joined by the ids. */
export interface MemoryGraph {
	/** The current memories of the page, their older versions, and the targets of the edges from these. */
	readonly memories: readonly Memory[];
	readonly edges: readonly MemoryEdge[];
	/** The source documents, if requested. */
	readonly documents: readonly Document[];
	/** The number of memories on all pages. It includes forgotten ones, which are not in the graph. */
	readonly total: number;
	readonly next: Position | null;
}

/** An edge is on the page of the memory from which it begins, so it appears only once. */
export async function memoryGraph(
	{ scope, page, includeDocuments, knownAt }: GraphRequest,
	{ memories: store, documents }: TenantStore,
	now: Date,
): Promise<MemoryGraph> {
	const listed = await store.list(scope, true, withOneMore(page), ...(knownAt === null ? [] : [{ now, moment: { knownAt, trueAt: null } }]));
	const { items, next } = cutPage(listed.memories, page);
	const current = knownAt === null ? items.filter((memory) => isCurrent(memory, now)) : items.map(asThen);
	const older = [...(await historyOf(current, store)).values()].flat().filter(({ isForgotten }) => !isForgotten);
	const pageMemories = new Map([...current, ...older].map((memory) => [memory.id, memory]));
	const outgoing = (await store.edges([...pageMemories.keys()])).filter(({ from }) => pageMemories.has(from));
	const elsewhere = [...new Set(outgoing.map(({ to }) => to).filter((id) => !pageMemories.has(id)))];
	const targets = knownAt === null ? await visibleVersions(elsewhere, store, now) : await versionsAt(elsewhere, store, knownAt);
	const memories = [...pageMemories.values(), ...targets];
	const ids = new Set(memories.map(({ id }) => id));
	const sources = new Set(memories.flatMap(({ evidence }) => evidence.map(({ document }) => document)));
	return {
		memories,
		edges: outgoing.filter(({ to }) => ids.has(to)),
		documents: includeDocuments ? await documents.getMany([...sources], false) : [],
		total: listed.total,
		next,
	};
}

/** What was current at that time was the latest version and not forgotten, whatever has become of it. */
function asThen(memory: Memory): Memory {
	return { ...memory, isLatest: true, isForgotten: false };
}

/**
 * Those of the memories that were known then. One that was forgotten since is left out here: the edge to it is missing if it is on
 * another page.
 */
async function versionsAt(ids: readonly MemoryId[], store: MemoryStore, knownAt: Date): Promise<readonly Memory[]> {
	const [memories, edges] = await Promise.all([store.get(ids), store.newestEdges(ids, 1, knownAt)]);
	const replaced = new Set(edges.flatMap(({ to, relation }) => (relation === "updates" ? [to] : [])));
	return memories
		.filter(({ isForgotten, createdAt, forgetAfter }) => !isForgotten && createdAt <= knownAt && (forgetAfter === null || forgetAfter > knownAt))
		.map((memory) => ({ ...memory, isLatest: !replaced.has(memory.id) }));
}

/** Longer chains of versions are not followed. */
const generationsMax = 50;

/** Those of the memories that are current, or an older version of a current memory. It takes one round trip to the store per version. */
async function visibleVersions(ids: readonly MemoryId[], store: MemoryStore, now: Date): Promise<readonly Memory[]> {
	const memories = (await store.get(ids)).filter(({ isForgotten }) => !isForgotten);
	const found = memories.filter((memory) => isCurrent(memory, now));
	let pending = memories.filter(({ isLatest }) => !isLatest).map((memory) => ({ memory, latestId: memory.id }));
	for (let generation = 0; generation < generationsMax && pending.length > 0; generation++) {
		const edges = (await store.newestEdges([...new Set(pending.map(({ latestId }) => latestId))], limits.relativesMax, null)).filter(
			({ relation }) => relation === "updates",
		);
		const newer = new Map(edges.map(({ from, to }) => [to, from]));
		const reached = new Map((await store.get([...new Set(newer.values())])).map((memory) => [memory.id, memory]));
		pending = pending.flatMap(({ memory, latestId }) => {
			const next = reached.get(newer.get(latestId) ?? latestId);
			if (next === undefined || next.isForgotten) return [];
			if (!next.isLatest) return [{ memory, latestId: next.id }];
			if (isCurrent(next, now)) found.push(memory);
			return [];
		});
	}
	return found;
}

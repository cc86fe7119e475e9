/** Memories and their relations, page by page, for drawing a graph. It shows nothing that a search would not show. */

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
}

/** Both ends of every edge are among the memories: a page is a graph of its own, and pages are joined by the ids. */
export interface MemoryGraph {
	/** The current ones of the page, their older versions, and what these point to. */
	readonly memories: readonly Memory[];
	readonly edges: readonly MemoryEdge[];
	/** The sources, where they were asked for. */
	readonly documents: readonly Document[];
	/** How many memories there are on all pages, forgotten ones counted and not shown. */
	readonly total: number;
	readonly next: Position | null;
}

/** An edge belongs to the page of the memory it begins at, so that it comes once. */
export async function memoryGraph(
	{ scope, page, includeDocuments }: GraphRequest,
	{ memories: store, documents }: TenantStore,
	now: Date,
): Promise<MemoryGraph> {
	const listed = await store.list(scope, true, withOneMore(page));
	const { shown, next } = cutPage(listed.memories, page);
	const current = shown.filter((memory) => isCurrent(memory, now));
	const older = [...(await historyOf(current, store)).values()].flat().filter(({ isForgotten }) => !isForgotten);
	const own = new Map([...current, ...older].map((memory) => [memory.id, memory]));
	const leaving = (await store.edges([...own.keys()])).filter(({ from }) => own.has(from));
	const others = await standing([...new Set(leaving.map(({ to }) => to).filter((id) => !own.has(id)))], store, now);
	const memories = [...own.values(), ...others];
	const ids = new Set(memories.map(({ id }) => id));
	const sources = new Set(memories.flatMap(({ evidence }) => evidence.map(({ document }) => document)));
	return {
		memories,
		edges: leaving.filter(({ to }) => ids.has(to)),
		documents: includeDocuments ? await documents.getMany([...sources], false) : [],
		total: listed.total,
		next,
	};
}

/** Longer chains are not followed: a graph shows no more. */
const generationsMax = 50;

/** Those that are current, or an older version of what is. One round trip per generation. */
async function standing(ids: readonly MemoryId[], store: MemoryStore, now: Date): Promise<readonly Memory[]> {
	const memories = (await store.get(ids)).filter(({ isForgotten }) => !isForgotten);
	const found = memories.filter((memory) => isCurrent(memory, now));
	let climbing = memories.filter(({ isLatest }) => !isLatest).map((memory) => ({ memory, at: memory.id }));
	for (let generation = 0; generation < generationsMax && climbing.length > 0; generation++) {
		const edges = (await store.newestEdges([...new Set(climbing.map(({ at }) => at))], limits.relativesMax, null)).filter(
			({ relation }) => relation === "updates",
		);
		const newer = new Map(edges.map(({ from, to }) => [to, from]));
		const reached = new Map((await store.get([...new Set(newer.values())])).map((memory) => [memory.id, memory]));
		climbing = climbing.flatMap(({ memory, at }) => {
			const next = reached.get(newer.get(at) ?? at);
			if (next === undefined || next.isForgotten) return [];
			if (!next.isLatest) return [{ memory, at: next.id }];
			if (isCurrent(next, now)) found.push(memory);
			return [];
		});
	}
	return found;
}

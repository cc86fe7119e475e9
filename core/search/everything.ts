/** What the query `*` asks for: the newest in scope, as many as are shown. Nothing is compared, so every score is 1. */

import { momentFilter, momentOf } from "../model/moment.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { Pooled } from "./distinct.ts";
import type { MemoryQuery } from "./search-memories.ts";
import { passagePool, withinTokens } from "./within-tokens.ts";

export function asksForEverything(query: string): boolean {
	return query.trim() === "*";
}

/** Memories, and documents that are done by their first chunks, as far as the mode searches them. */
export async function everyMemory(query: MemoryQuery, tenant: TenantStore): Promise<readonly Pooled[]> {
	const { limit, tokensMax } = query;
	// With a budget of tokens passages are chosen, as by any search.
	const count = tokensMax === undefined ? limit : Math.max(limit, passagePool);
	const [memories, chunks] = await Promise.all([
		query.mode === "documents" ? [] : newestMemories(query, count, tenant),
		query.mode === "memories" ? [] : newestDocuments(query, count, tenant),
	]);
	const found = [...memories, ...chunks].sort((a, b) => b.at.getTime() - a.at.getTime()).map(({ item }) => item);
	return tokensMax === undefined ? found.slice(0, limit) : withinTokens(found, query.query, tokensMax, limit);
}

interface Dated {
	readonly at: Date;
	readonly item: Pooled;
}

async function newestMemories({ scope, includeForgotten, now, asOf, trueAt }: MemoryQuery, limit: number, { memories }: TenantStore): Promise<Dated[]> {
	const seen = { now, includeForgotten, ...momentFilter(momentOf(asOf, trueAt, now)) };
	const listed = await memories.list(scope, false, firstPage(limit), seen);
	return listed.memories.map((memory) => ({ at: memory.createdAt, item: { kind: "memory", score: 1, own: 1, text: memory.text, memory } }));
}

async function newestDocuments({ scope }: MemoryQuery, limit: number, { documents }: TenantStore): Promise<Dated[]> {
	const listed = await documents.list({ ...scope, tagsMatch: "any" }, ["done"], firstPage(limit), false);
	const chunks = await documents.chunksAt(new Map(listed.documents.map(({ id }) => [id, [0]])));
	const createdAt = new Map(listed.documents.map((document) => [document.id, document.createdAt]));
	return chunks.map((chunk) => ({
		at: createdAt.get(chunk.document) ?? new Date(0),
		item: { kind: "chunk", score: 1, own: 1, text: chunk.text, chunk },
	}));
}

/** How many there are behind it is not asked. */
export function firstPage(limit: number) {
	return { offset: 0, limit, totalMax: limit, sort: "createdAt", order: "desc" } as const;
}

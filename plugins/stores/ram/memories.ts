/** Memories, their versions and edges in RAM. */

import {
	type Document,
	type DocumentId,
	type EmbeddedMemory,
	type Evidence,
	isCurrent,
	type Memory,
	type MemoryEdge,
	type MemoryId,
	type MemoryStore,
	type Position,
	relations,
} from "cairn-memory";
import { openContainers } from "./containers.ts";
import { noteMemory } from "./events.ts";
import { memoryInScope, passesMemoryFilter } from "./in-scope.ts";
import { comeBack, leave } from "./moments.ts";
import { onPage } from "./on-page.ts";
import type { StoredMemory, Tables } from "./tables.ts";

export function ramMemories(tables: Tables): MemoryStore {
	const { memories, edges, documents } = tables;
	const all = () => [...memories.values()].map(({ memory }) => memory);
	return {
		save: async (space, embedded, newEdges) => {
			const kept = embedded.flatMap((each) => withLivingEvidence(each, tables));
			const saved = new Set(kept.map(({ memory }) => memory.id));
			const keptEdges = newEdges.filter(({ from, to }) => [from, to].every((id) => saved.has(id) || memories.has(id)));
			const targets = newEdges.filter(({ from, relation }) => relation === "updates" && saved.has(from)).map(({ to }) => to);
			if (targets.some((id) => !saved.has(id) && memories.get(id)?.memory.isLatest !== true)) return false;
			for (const { memory, vector } of kept) {
				memories.set(memory.id, { memory, vector: vector.slice(), space: space.name });
				openContainers(tables, [memory.containerTag], memory.createdAt);
				noteMemory(tables, memory.version > 1 ? "memory.updated" : "memory.created", memory, memory.updatedAt);
			}
			for (const id of targets) patch(tables, id, { isLatest: false });
			edges.push(...keptEdges);
			return true;
		},
		get: async (ids) => ids.flatMap((id) => memories.get(id)?.memory ?? []),
		byText: async (containerTag, text) => {
			const isMeant = (memory: Memory) => memory.containerTag === containerTag && memory.text === text && memory.isLatest && !memory.isForgotten;
			return all().filter(isMeant).sort(newestFirst)[0] ?? null;
		},
		edges: async (ids) => {
			const wanted = new Set(ids);
			return edges.filter(({ from, to }) => wanted.has(from) || wanted.has(to));
		},
		newestEdges: async (ids, limit, until) => {
			const madeAt = (id: MemoryId) => memories.get(id)?.memory.createdAt.getTime() ?? 0;
			const made = edges.filter(({ from }) => until === null || madeAt(from) <= until.getTime()).sort((a, b) => madeAt(b.from) - madeAt(a.from));
			const some = (of: MemoryId, end: "from" | "to") =>
				relations.flatMap((relation) => made.filter((edge) => edge[end] === of && edge.relation === relation).slice(0, limit));
			return [...new Set(ids.flatMap((id) => [...some(id, "from"), ...some(id, "to")]))];
		},
		support: async (id, evidence, now) => {
			const known = memories.get(id)?.memory;
			const living = evidence.filter(({ document }) => documents.has(document));
			if (known === undefined || living.length === 0) return false;
			const fresh = living.filter((one) => !known.evidence.some((other) => isSame(one, other)));
			patch(tables, id, { evidence: [...known.evidence, ...fresh], updatedAt: now });
			return true;
		},
		list: async (scope, latestOnly, page) => {
			const inScope = all().filter((memory) => (memory.isLatest || !latestOnly) && memoryInScope(memory, scope, tables));
			return { memories: onPage(inScope, page), total: inScope.length };
		},
		count: async (memoryFilter) => all().filter((memory) => passesMemoryFilter(memory, memoryFilter, tables)).length,
		ofDocument: async (document) =>
			all()
				.filter((memory) => isExtractedFrom(memory, document))
				.sort(newestFirst),
		ofDocuments: async (sources) => {
			const wanted = new Set(sources);
			return all()
				.filter(({ evidence }) => evidence.some(({ document }) => wanted.has(document)))
				.sort(newestFirst);
		},
		reground: async (document, grounds, gone, now) => {
			dropSource(tables, document, now, new Set(gone));
			if (!documents.has(document)) return;
			for (const { memory, evidence } of grounds) {
				const others = memories.get(memory)?.memory.evidence.filter((one) => one.document !== document) ?? [];
				patch(tables, memory, { evidence: [...others, ...evidence] });
			}
		},
		forget: async (ids, reason, now) => {
			const known = [...new Set(ids)].filter((id) => memories.get(id)?.memory.isForgotten === false);
			// What had expired has been away since.
			for (const id of known) leave(tables, id, "forgotten", hasExpired(tables, id, now) ?? now);
			for (const id of known) patch(tables, id, { isForgotten: true, forgetReason: reason, updatedAt: now });
			return known.length;
		},
		restore: async (ids, now) => {
			const known = [...new Set(ids)].filter((id) => memories.get(id)?.memory.isForgotten === true);
			for (const id of known) comeBack(tables, id, now);
			for (const id of known) patch(tables, id, { isForgotten: false, forgetReason: null, forgetAfter: stillToCome(tables, id, now), updatedAt: now });
			return known.length;
		},
		rehome: async (from, to, limit, now) => {
			const moved = all()
				.filter(({ containerTag }) => containerTag === from)
				.slice(0, limit);
			if (moved.length > 0) openContainers(tables, [to], now);
			for (const { id } of moved) patch(tables, id, { containerTag: to, updatedAt: now });
			return moved.length;
		},
		due: async (containerTag, now, limit, after) => {
			const waiting = all().flatMap((memory) => {
				const { reviewAfter: at, id } = memory;
				return memory.containerTag === containerTag && at !== undefined && at <= now && isCurrent(memory, now) ? [{ memory, at, id }] : [];
			});
			const sorted = waiting.toSorted(longestFirst);
			return (after === null ? sorted : sorted.filter((one) => longestFirst(one, after) > 0)).slice(0, limit).map(({ memory }) => memory);
		},
		amend: async (id, amendment, now) => {
			patch(tables, id, { ...amendment, updatedAt: now });
			return memories.has(id);
		},
	};
}

/**
 * Takes a document away from the memories it supports; those that nothing else supports go, with all that was inferred from them.
 * @param among only from these; what was inferred from them stays where the document still says it itself
 */
export function dropSource(tables: Tables, document: DocumentId, now: Date, among?: ReadonlySet<MemoryId>): void {
	const going = goingWith(tables, document, among);
	for (const { memory } of [...tables.memories.values()]) {
		if (!isExtractedFrom(memory, document) || going.has(memory.id) || among?.has(memory.id) === false) continue;
		patch(tables, memory.id, { evidence: memory.evidence.filter((one) => one.document !== document), updatedAt: now });
	}
	for (const id of going) {
		const memory = tables.memories.get(id)?.memory;
		if (memory !== undefined) removeMemory(tables, memory, now);
	}
}

function goingWith({ memories, edges }: Tables, document: DocumentId, among?: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
	const extracted = [...memories.values()].map(({ memory }) => memory).filter((memory) => isExtractedFrom(memory, document) && among?.has(memory.id) !== false);
	const going = new Set(extracted.filter(({ evidence }) => evidence.every((one) => one.document === document)).map(({ id }) => id));
	const goesAlong = (memory: Memory | undefined) =>
		memory?.isInference === true && (among === undefined || among.has(memory.id) || !isExtractedFrom(memory, document));
	// A set goes through what is added to it on the way.
	for (const id of going) {
		for (const { from, to, relation } of edges) if (to === id && relation === "derives" && goesAlong(memories.get(from)?.memory)) going.add(from);
	}
	return going;
}

/** The memories of a document whose tags have changed move into its first container, unless they are at home in another, or another source holds them. */
export function followTags(tables: Tables, document: Document, now: Date): void {
	const [home] = document.containerTags;
	if (home === undefined) return;
	for (const { memory } of [...tables.memories.values()]) {
		if (!isExtractedFrom(memory, document.id)) continue;
		const isHeld = memory.evidence.some(({ document: id }) => tables.documents.get(id)?.containerTags.includes(memory.containerTag));
		if (!isHeld) patch(tables, memory.id, { containerTag: home, updatedAt: now });
	}
}

/** With the latest of a chain gone, the one before it is the latest again, unless it was forgotten or has expired: that was the last word. Those around a gap become neighbours. */
function removeMemory(tables: Tables, memory: Memory, now: Date): void {
	const { memories, edges } = tables;
	const { id, parent } = memory;
	noteMemory(tables, "memory.deleted", memory, now);
	const older = edges.filter(({ from, relation }) => from === id && relation === "updates").map(({ to }) => to);
	const newer = edges.filter(({ to, relation }) => to === id && relation === "updates").map(({ from }) => from);
	memories.delete(id);
	edges.splice(0, edges.length, ...edges.filter(({ from, to }) => from !== id && to !== id));
	for (const from of newer) for (const to of older) if (!isEdge(edges, { from, to, relation: "updates" })) edges.push({ from, to, relation: "updates" });
	for (const target of older) if (isCurrent(memory, now) && !isReplaced(edges, target)) patch(tables, target, { isLatest: true, updatedAt: now });
	const chain = [...memories.values()].filter((other) => other.memory.root === id).map((other) => other.memory);
	const first = chain.toSorted((a, b) => a.version - b.version)[0]?.id ?? null;
	for (const other of [...memories.values()].map((stored) => stored.memory)) {
		if (other.parent === id) patch(tables, other.id, { parent });
		if (other.root === id) patch(tables, other.id, { root: other.id === first ? null : first });
	}
}

export function isEdge(edges: readonly MemoryEdge[], { from, to, relation }: MemoryEdge): boolean {
	return edges.some((edge) => edge.from === from && edge.to === to && edge.relation === relation);
}

/** Forgets what has expired. */
export function sweepExpired(tables: Tables, now: Date): void {
	for (const { memory } of [...tables.memories.values()]) {
		const { id, forgetAfter, forgetReason, isLatest, isForgotten } = memory;
		if (forgetAfter === null || forgetAfter > now || !isLatest || isForgotten) continue;
		leave(tables, id, "expired", forgetAfter);
		patch(tables, id, { isForgotten: true, forgetReason: forgetReason ?? "expired", updatedAt: now });
	}
}

/** A memory that a user restores after it expired stays. */
function stillToCome(tables: Tables, id: MemoryId, now: Date): Date | null {
	return hasExpired(tables, id, now) === null ? (tables.memories.get(id)?.memory.forgetAfter ?? null) : null;
}

function hasExpired({ memories }: Tables, id: MemoryId, now: Date): Date | null {
	const forgetAfter = memories.get(id)?.memory.forgetAfter ?? null;
	return forgetAfter !== null && forgetAfter <= now ? forgetAfter : null;
}

function isReplaced(edges: readonly MemoryEdge[], id: MemoryId): boolean {
	return edges.some(({ to, relation }) => to === id && relation === "updates");
}

function patch(tables: Tables, id: MemoryId, changes: Partial<Memory>): void {
	const stored = tables.memories.get(id);
	if (stored === undefined) return;
	const memory = { ...stored.memory, ...changes };
	tables.memories.set(id, { ...stored, memory } satisfies StoredMemory);
	if (memory.isForgotten !== stored.memory.isForgotten)
		noteMemory(tables, memory.isForgotten ? "memory.forgotten" : "memory.restored", memory, memory.updatedAt);
}

/** What a client wrote needs no evidence; what was drawn does, in the container where it shall live. */
function withLivingEvidence({ memory, vector }: EmbeddedMemory, { documents }: Tables): readonly EmbeddedMemory[] {
	const evidence = memory.evidence.filter(({ document }) => documents.has(document));
	const isHeld = evidence.some(({ document }) => documents.get(document)?.containerTags.includes(memory.containerTag));
	return isHeld || memory.extractor === null ? [{ memory: { ...memory, evidence }, vector }] : [];
}

function isExtractedFrom(memory: Memory, document: DocumentId): boolean {
	return memory.evidence.some((one) => one.document === document);
}

function isSame(a: Evidence, b: Evidence): boolean {
	return a.document === b.document && a.chunk === b.chunk && a.span[0] === b.span[0] && a.span[1] === b.span[1];
}

function longestFirst(a: Position, b: Position): number {
	return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function newestFirst(a: Memory, b: Memory): number {
	return b.createdAt.getTime() - a.createdAt.getTime();
}

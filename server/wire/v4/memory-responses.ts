/** The responses of `/v4/memories`. */

import type { LinkedMemory } from "../../../core/browse/browse-service.ts";
import type { CreatedMemories } from "../../../core/memories/create.ts";
import type { Match } from "../../../core/memories/forget.ts";
import type { ListedEntries, ListedEntry } from "../../../core/memories/memory-service.ts";
import type { OrganisationId } from "../../../core/model/id.ts";
import type { Memory } from "../../../core/model/memory.ts";
import { roundScore } from "../../../core/ranking/relevance.ts";
import { type RequestedPage, toNextCursor, toPagination } from "../requests/paging.ts";
import { toTemporal, toWireMetadata } from "./temporal.ts";

export function toWritten({ document, memories }: CreatedMemories) {
	return {
		documentId: document,
		memories: memories.map((memory) => ({
			id: memory.id,
			memory: memory.text,
			isStatic: memory.isStatic,
			createdAt: memory.createdAt.toISOString(),
			...toForgetting(memory),
			metadata: toWireMetadata(memory.metadata),
		})),
	};
}

export function toRevised(memory: Memory) {
	return {
		id: memory.id,
		memory: memory.text,
		version: memory.version,
		parentMemoryId: memory.parent,
		rootMemoryId: memory.root,
		createdAt: memory.createdAt.toISOString(),
		...toForgetting(memory),
		metadata: toWireMetadata(memory.metadata),
	};
}

export function toMatches(matches: readonly Match[], dryRun: boolean, forgetBatchId: string | null) {
	const items = matches.map(({ memory, score }) => ({ id: memory.id, memory: memory.text, score: roundScore(score) }));
	const count = matches.length;
	const countText = count === 1 ? "1 memory" : `${count} memories`;
	return {
		dryRun,
		count,
		forgetBatchId,
		summary: dryRun ? `${countText} would be forgotten` : `${countText} forgotten`,
		...(dryRun ? { candidates: items } : { forgotten: items }),
	};
}

export function toRestored(memories: readonly Memory[]) {
	return { count: memories.length, restored: memories.map(({ id, text }) => ({ id, memory: text })) };
}

export function toMemoryList({ entries, total, next }: ListedEntries, page: RequestedPage, organisation: OrganisationId) {
	return {
		memoryEntries: entries.map((entry) => toEntry(entry, organisation)),
		pagination: toPagination(page, total),
		nextCursor: toNextCursor(page, next),
	};
}

function toEntry({ history, ...linked }: ListedEntry, organisation: OrganisationId) {
	return { ...toMemoryRow(linked, organisation), history: history.map((memory) => ({ ...toVersion(memory), ...toOrigin(memory) })) };
}

/** A memory as it is returned with the document that it was extracted from. */
export function toExtractedMemory(memory: Memory) {
	return {
		...toVersion(memory),
		isStatic: memory.isStatic,
		isInference: memory.isInference,
		sourceCount: sourcesOf(memory).length,
		metadata: toWireMetadata(memory.metadata),
	};
}

function sourcesOf({ evidence }: Memory) {
	return [...new Set(evidence.map(({ document }) => document))];
}

/** A memory with all details except its older versions. */
export function toMemoryRow({ memory, edges }: LinkedMemory, organisation: OrganisationId) {
	const relations = Object.fromEntries(edges.map(({ from, to, relation }) => [from === memory.id ? to : from, relation]));
	return {
		...toExtractedMemory(memory),
		spaceId: memory.containerTag,
		spaceContainerTag: memory.containerTag,
		orgId: organisation,
		...toOrigin(memory),
		...toForgetting(memory),
		temporalContext: toTemporal(memory.metadata),
		memoryRelations: edges.length === 0 ? null : relations,
	};
}

function toVersion(memory: Memory) {
	return {
		id: memory.id,
		memory: memory.text,
		version: memory.version,
		createdAt: memory.createdAt.toISOString(),
		updatedAt: memory.updatedAt.toISOString(),
		parentMemoryId: memory.parent,
		rootMemoryId: memory.root,
		isLatest: memory.isLatest,
		isForgotten: memory.isForgotten,
	};
}

/** A version written by a client keeps the source documents of the version it replaced. */
function toOrigin(memory: Memory) {
	return { documentIds: sourcesOf(memory), isWritten: memory.extractor === null };
}

function toForgetting({ forgetAfter, forgetReason }: Memory) {
	return { forgetAfter: forgetAfter?.toISOString() ?? null, forgetReason };
}

/** A memory as the list shows it, whether it was listed or searched for. */

import type { Api } from "../api/client.ts";
import type { Chunk, ListedMemory, MemoryHit, NamedDocuments } from "../api/wire.ts";

export interface MemoryItem {
	readonly id: string;
	/** The id of its first version: the same for all of them. */
	readonly root: string;
	readonly text: string;
	readonly version: number;
	readonly isForgotten: boolean;
	readonly isInference: boolean;
	/** A lasting trait. Null where a search does not say. */
	readonly isLasting: boolean | null;
	readonly forgetReason: string | null;
	readonly updatedAt: string;
	/** Null where it was not searched for. */
	readonly score: number | null;
	/** The newest first. */
	readonly older: readonly Version[];
	/** When this version came. Null where a search does not say. */
	readonly since: string | null;
	readonly documentIds: readonly string[];
	readonly isWritten: boolean | null;
}

export interface Version {
	readonly id: string;
	readonly text: string;
	readonly version: number;
	readonly time: string;
	/** Where it came from. Null where a search does not say. */
	readonly documentIds: readonly string[] | null;
	/** By a person or a program, and not extracted from a document. */
	readonly isWritten: boolean | null;
}

export function fromList({ history, ...entry }: ListedMemory): MemoryItem {
	const { id, version, isForgotten, isInference, isWritten, forgetReason, updatedAt, createdAt, documentIds } = entry;
	const older = history.filter((one) => one.id !== id).map((one) => ({ ...one, text: one.memory, time: one.createdAt }));
	return {
		...{ id, version, isForgotten, isInference, isWritten, forgetReason, updatedAt, documentIds },
		root: entry.rootMemoryId ?? id,
		text: entry.memory,
		isLasting: entry.isStatic,
		since: createdAt,
		score: null,
		older: older.toSorted((a, b) => b.version - a.version),
	};
}

export function fromHit({ id, memory, version, isInference, similarity, updatedAt, documents = [], context, rootMemoryId }: MemoryHit): MemoryItem {
	const older = (context?.parents ?? []).filter(({ relation }) => relation === "updates");
	return {
		...{ id, version, isInference, updatedAt },
		root: rootMemoryId ?? id,
		text: memory,
		isForgotten: false,
		forgetReason: null,
		isLasting: null,
		since: null,
		isWritten: null,
		score: similarity,
		older: older.map((one) => ({ id: one.id, text: one.memory, version: one.absoluteVersion, time: one.updatedAt, documentIds: null, isWritten: null })),
		documentIds: documents.map((document) => document.id),
	};
}

/** Words of a document that support a memory: where in the chunk they begin and end. */
export interface Passage {
	readonly chunk: Chunk;
	readonly span: readonly [number, number];
}

export interface Evidence {
	readonly documentId: string;
	readonly title: string;
	readonly passages: readonly Passage[];
}

/** A memory may rest on hundreds of documents; the first few are shown. */
const documentsShown = 5;

/** What supports a memory, by document. */
export async function loadEvidence({ id, documentIds }: MemoryItem, api: Api, signal: AbortSignal): Promise<readonly Evidence[]> {
	const ids = documentIds.slice(0, documentsShown);
	if (ids.length === 0) return [];
	const { documents } = await api.ask<NamedDocuments>("POST", "/v3/documents/documents/by-ids", { ids, by: "id" }, signal);
	return Promise.all(
		documents.map(async ({ id: documentId, title, memoryEntries }) => {
			const evidence = memoryEntries.filter((entry) => entry.id === id).flatMap(({ sourceMetadata }) => sourceMetadata.evidence);
			const path = `/v3/documents/${encodeURIComponent(documentId)}/chunks`;
			const { chunks } = evidence.length === 0 ? { chunks: [] } : await api.ask<{ readonly chunks: readonly Chunk[] }>("GET", path, undefined, signal);
			const passages = evidence.flatMap(({ chunkId, span }) => chunks.filter((chunk) => chunk.id === chunkId).map((chunk) => ({ chunk, span })));
			return { documentId, title: title ?? "Untitled", passages };
		}),
	);
}

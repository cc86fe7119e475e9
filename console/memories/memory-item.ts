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
	readonly forgetReason: string | null;
	readonly updatedAt: string;
	/** Null where it was not searched for. */
	readonly score: number | null;
	/** The newest first. */
	readonly older: readonly { readonly id: string; readonly text: string; readonly version: number; readonly time: string }[];
	readonly documentIds: readonly string[];
}

export function fromList({
	id,
	memory,
	version,
	isForgotten,
	isInference,
	forgetReason,
	updatedAt,
	history,
	documentIds,
	rootMemoryId,
}: ListedMemory): MemoryItem {
	const older = history.filter((one) => one.id !== id).map((one) => ({ id: one.id, text: one.memory, version: one.version, time: one.createdAt }));
	const newestFirst = older.toSorted((a, b) => b.version - a.version);
	return {
		id,
		root: rootMemoryId ?? id,
		text: memory,
		version,
		isForgotten,
		isInference,
		forgetReason,
		updatedAt,
		score: null,
		older: newestFirst,
		documentIds,
	};
}

export function fromHit({ id, memory, version, isInference, similarity, updatedAt, documents = [], context, rootMemoryId }: MemoryHit): MemoryItem {
	const older = (context?.parents ?? []).filter(({ relation }) => relation === "updates");
	return {
		id,
		root: rootMemoryId ?? id,
		text: memory,
		version,
		isForgotten: false,
		isInference,
		forgetReason: null,
		updatedAt,
		score: similarity,
		older: older.map((one) => ({ id: one.id, text: one.memory, version: one.absoluteVersion, time: one.updatedAt })),
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

/** The response of `/v4/search`. A result has the field `memory` or `chunk`, by which clients distinguish the two. */

import type { Document } from "../../../core/model/document.ts";
import { roundScore } from "../../../core/ranking/relevance.ts";
import type { Explained } from "../../../core/search/explanation/explain.ts";
import type { Relative, Relatives } from "../../../core/search/relatives.ts";
import type { FoundChunk, FoundItem, FoundMemory } from "../../../core/search/search-memories.ts";
import { toExplanation, toScoreParts } from "../responses/explanation.ts";
import type { MemorySearchRequest } from "./search-request.ts";
import { toWireMetadata } from "./temporal.ts";

type Show = MemorySearchRequest["show"];

export function toMemoryResults(found: readonly FoundItem[], timingMs: number, { show }: MemorySearchRequest, explained: Explained<FoundItem> | null = null) {
	const scorePartsOf = (id: string) => (explained === null ? {} : { scoreParts: toScoreParts(explained.scorePartsOf(id)) });
	return {
		results: found.map((item) =>
			item.kind === "memory"
				? { ...toMemoryResult(item, show), ...scorePartsOf(item.memory.id) }
				: { ...toChunkResult(item, show), ...scorePartsOf(item.chunk.id) },
		),
		timing: timingMs,
		total: found.length,
		...(explained === null ? {} : { explanation: toExplanation(explained) }),
	};
}

function toMemoryResult({ memory, score, relatives, documents, chunks, mergedFrom }: FoundMemory, show: Show) {
	return {
		id: memory.id,
		memory: memory.text,
		similarity: roundScore(score),
		metadata: toWireMetadata(memory.metadata),
		updatedAt: memory.updatedAt.toISOString(),
		version: memory.version,
		rootMemoryId: memory.root,
		resultType: "memory",
		isInference: memory.isInference,
		...(memory.isForgotten ? { isForgotten: true } : {}),
		...(memory.isLatest ? {} : { isLatest: false }),
		...(mergedFrom === undefined ? {} : { isAggregated: true, memoryIds: mergedFrom }),
		filepath: documents[0]?.filepath ?? null,
		evidence: memory.evidence.map(({ document, chunk, span }) => ({ documentId: document, chunkId: chunk, span })),
		...(show.documents ? { documents: documents.map((document) => toSource(document, show)) } : {}),
		...(show.chunks
			? { chunks: chunks.map(({ text, position, document }) => ({ content: text, score: roundScore(score), position, documentId: document })) }
			: {}),
		...(show.context ? { context: toContext(relatives) } : {}),
	};
}

function toChunkResult({ chunk, score, document }: FoundChunk, show: Show) {
	return {
		id: chunk.id,
		chunk: chunk.text,
		similarity: roundScore(score),
		metadata: document.metadata,
		updatedAt: document.updatedAt.toISOString(),
		version: 1,
		rootMemoryId: null,
		resultType: "chunk",
		title: document.findings.title,
		type: document.findings.type,
		filepath: document.filepath,
		place: chunk.place,
		...(show.documents ? { documents: [toSource(document, show)] } : {}),
	};
}

function toSource({ id, metadata, findings, createdAt, updatedAt }: Document, show: Show) {
	return {
		id,
		title: findings.title,
		type: findings.type,
		metadata,
		createdAt: createdAt.toISOString(),
		updatedAt: updatedAt.toISOString(),
		...(show.summaries ? { summary: findings.summary } : {}),
	};
}

/** Memories that extend a memory or derive from it are also listed as related, without their distance. */
function toContext({ parents, children }: Relatives) {
	const related = [...parents, ...children].filter(({ relation }) => relation !== "updates");
	return {
		parents: parents.map(toRelative),
		children: children.map(toRelative),
		related: related.map(({ memory, relation }) => ({
			id: memory.id,
			memory: memory.text,
			relation,
			metadata: toWireMetadata(memory.metadata),
			updatedAt: memory.updatedAt.toISOString(),
		})),
	};
}

/** On the wire, `version` is the distance: -1 for a parent, +1 for a child. `absoluteVersion` is the memory's own version. */
function toRelative({ memory, relation, distance }: Relative) {
	return {
		id: memory.id,
		memory: memory.text,
		relation,
		version: distance,
		absoluteVersion: memory.version,
		metadata: toWireMetadata(memory.metadata),
		updatedAt: memory.updatedAt.toISOString(),
	};
}

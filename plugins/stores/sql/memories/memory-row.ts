/** A memory as a row, and back. */

import { asId, type ChunkId, type DocumentId, type Evidence, type Memory, type MemoryId, type Metadata } from "cairn-memory";
import type { memories } from "../schema.ts";

/** With its evidence as JSON: a list of `[document, chunk, begin, end, words]`. */
export type MemoryRow = typeof memories.$inferSelect & { readonly evidence: string };

/** For a query in which memories are called `m`. */
export const evidenceColumn = `(SELECT json_group_array(json_array(e.document, e.chunk, e.span_begin, e.span_end, e.words) ORDER BY e.ordinal)
	FROM memory_evidence e WHERE e.organisation = m.organisation AND e.memory = m.id) AS evidence`;

export function memoryRow(organisation: string, memory: Memory): typeof memories.$inferInsert {
	const { id, containerTag, text, confidence, subject, version, parent, root, forgetReason, extractor } = memory;
	return {
		...{ organisation, id, containerTag, text, confidence, subject, version, parent, root, forgetReason, extractor },
		isStatic: Number(memory.isStatic),
		isInference: Number(memory.isInference),
		isLatest: Number(memory.isLatest),
		isForgotten: Number(memory.isForgotten),
		eventTime: memory.eventTime?.getTime() ?? null,
		forgetAfter: memory.forgetAfter?.getTime() ?? null,
		saidAt: memory.saidAt?.getTime() ?? null,
		reviewAfter: memory.reviewAfter?.getTime() ?? null,
		indexedText: memory.indexedText ?? null,
		metadata: JSON.stringify(memory.metadata),
		createdAt: memory.createdAt.getTime(),
		updatedAt: memory.updatedAt.getTime(),
	};
}

export function memoryOf(row: MemoryRow): Memory {
	const metadata: Metadata = JSON.parse(row.metadata);
	const { text, containerTag, confidence, subject, version, forgetReason, extractor } = row;
	return {
		...{ text, containerTag, confidence, subject, version, forgetReason, extractor, metadata },
		id: asId<MemoryId>(row.id),
		isStatic: row.isStatic === 1,
		isInference: row.isInference === 1,
		eventTime: dateOrNull(row.eventTime),
		forgetAfter: dateOrNull(row.forgetAfter),
		evidence: evidenceOf(row.evidence),
		parent: row.parent === null ? null : asId<MemoryId>(row.parent),
		root: row.root === null ? null : asId<MemoryId>(row.root),
		isLatest: row.isLatest === 1,
		isForgotten: row.isForgotten === 1,
		...(row.saidAt === null ? {} : { saidAt: new Date(row.saidAt) }),
		...(row.indexedText === null ? {} : { indexedText: row.indexedText }),
		...(row.reviewAfter === null ? {} : { reviewAfter: new Date(row.reviewAfter) }),
		createdAt: new Date(row.createdAt),
		updatedAt: new Date(row.updatedAt),
	};
}

function evidenceOf(json: string): readonly Evidence[] {
	const rows: readonly (readonly [string, string, number, number, string | null])[] = JSON.parse(json);
	return rows.map(([document, chunk, begin, end, words]) => ({
		document: asId<DocumentId>(document),
		chunk: asId<ChunkId>(chunk),
		span: [begin, end],
		...(words === null ? {} : { words }),
	}));
}

function dateOrNull(time: number | null): Date | null {
	return time === null ? null : new Date(time);
}

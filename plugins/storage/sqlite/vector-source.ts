/**
 * What vector indexes of plugins are fed from. The log of changes is three logs that are there anyway: vectors by their
 * ascending keys, texts that have gone or come back, and documents or memories that scopes see otherwise than before.
 */

import {
	asId,
	type ChangedVector,
	type ChunkId,
	type DocumentId,
	type EmbeddingSpace,
	type MemoryId,
	type OrganisationId,
	type SourceChanges,
	type VectorSource,
	wholeOrganisation,
} from "cairn-memory";
import type { Reads } from "./reads.ts";
import { chunkScope, memoryScope, type ScopedRows } from "./scope-sql.ts";
import type { VectorKind } from "./vectors/partition-address.ts";
import { soundVector } from "./vectors/vector-bytes.ts";

const tables = {
	chunk: {
		vectors: "chunk_vectors",
		owner: "chunk",
		join: "c.id = v.chunk AND c.organisation = v.organisation",
		id: "c.id",
		columns: "c.id AS id, c.document AS document, c.position AS position, d.container_tags AS tags",
		changes: "scope_changes",
		changed: `SELECT s.sequence AS sequence, c.id AS id FROM (SELECT sequence, organisation, document FROM scope_changes
			WHERE organisation = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3) s
			LEFT JOIN documents d ON d.organisation = s.organisation AND d.id = s.document
			LEFT JOIN chunks c ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition`,
	},
	memory: {
		vectors: "memory_vectors",
		owner: "memory",
		join: "m.id = v.memory AND m.organisation = v.organisation",
		id: "m.id",
		columns: "m.id AS id, '' AS document, 0 AS position, json_array(m.container_tag) AS tags",
		changes: "memory_moves",
		changed: "SELECT sequence, memory AS id FROM memory_moves WHERE organisation = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3",
	},
} as const satisfies Record<VectorKind, unknown>;

/** Of each log: the key or the sequence of what was told last. */
interface Position {
	readonly vectors: number;
	readonly texts: number;
	readonly scopes: number;
}

interface Row {
	readonly id: string;
	readonly document: string;
	readonly position: number;
	readonly tags: string;
	readonly vector: Uint8Array;
}

interface Logged {
	readonly sequence: number;
	readonly id: string | null;
}

/** A document may bring thousands of chunks along. */
const documentsAtOnce = 20;
/** Read without a pause: about 3 ms with their vectors. */
const rowsAtOnce = 500;

const everyMemory = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };

export function vectorSource(organisation: OrganisationId, space: EmbeddingSpace, { statement, snapshot }: Reads): VectorSource {
	const whole = (kind: VectorKind) => (kind === "chunk" ? chunkScope(organisation, wholeOrganisation) : memoryScope(organisation, everyMemory));

	/** Those of the ids that are in scope, with their vectors. CROSS JOIN fixes the order: from the few ids on. */
	function rowsOf(kind: VectorKind, ids: readonly string[], { from, test }: ScopedRows): readonly (Omit<Row, "vector"> & ChangedVector)[] {
		const { vectors, owner, join, columns } = tables[kind];
		const sql = `SELECT ${columns}, v.vector AS vector FROM json_each(?) j
			CROSS JOIN ${vectors} v ON v.organisation = ? AND v.${owner} = j.value AND v.space = ? CROSS JOIN ${from} WHERE ${join} AND ${test.where}`;
		const rows = statement<Row>(sql).all(JSON.stringify(ids), organisation, space.name, ...test.params);
		return rows.flatMap((row) => {
			const vector = soundVector(row.vector, space);
			return vector === null ? [] : [{ ...row, vector, containerTags: JSON.parse(row.tags) as readonly string[] }];
		});
	}

	async function inScope(kind: VectorKind, ids: readonly string[], scope: ScopedRows): Promise<ReturnType<typeof rowsOf>> {
		const found: ReturnType<typeof rowsOf>[number][] = [];
		for (let start = 0; start < ids.length; start += rowsAtOnce) {
			if (start > 0) await new Promise((resolve) => setImmediate(resolve));
			found.push(...rowsOf(kind, ids.slice(start, start + rowsAtOnce), scope));
		}
		return found;
	}

	function listed<Id extends ChunkId | MemoryId>(kind: VectorKind, { from, where, params }: ScopedRows, most: number): readonly Id[] | null {
		const rows = statement<{ id: string }>(`SELECT ${tables[kind].id} AS id FROM ${from} WHERE ${where} LIMIT ?`).all(...params, most + 1);
		return rows.length > most ? null : rows.map(({ id }) => asId<Id>(id));
	}

	function newest(table: string): number {
		return statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.seq ?? 0;
	}

	/** Whether nothing after it was forgotten. A later one than was ever given out is of another database. */
	function isKept(table: string, after: number): boolean {
		const last = newest(table);
		const oldest = statement<{ oldest: number | null }>(`SELECT min(sequence) AS oldest FROM ${table}`).get()?.oldest ?? last + 1;
		return after <= last && after + 1 >= oldest;
	}

	function isOurs(kind: VectorKind, { vectors, texts, scopes }: Position): boolean {
		return vectors <= newest(tables[kind].vectors) && isKept("text_changes", texts) && isKept(tables[kind].changes, scopes);
	}

	/** From the beginning only what is there counts, and not what has happened to it before. */
	function beginning(kind: VectorKind): Position {
		return { vectors: 0, texts: newest("text_changes"), scopes: newest(tables[kind].changes) };
	}

	function changes(kind: VectorKind, after: Position, limit: number): SourceChanges {
		const { vectors, owner, changed } = tables[kind];
		const written = statement<Logged>(
			`SELECT key AS sequence, ${owner} AS id FROM ${vectors} WHERE organisation = ? AND space = ? AND key > ? ORDER BY key LIMIT ?`,
		).all(organisation, space.name, after.vectors, limit);
		const texts = statement<Logged>("SELECT sequence, id FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?").all(
			organisation,
			kind,
			after.texts,
			limit,
		);
		const scopesMax = kind === "chunk" ? documentsAtOnce : limit;
		const scopes = statement<Logged>(changed).all(organisation, after.scopes, scopesMax);
		const ids = new Set([...written, ...texts, ...scopes].flatMap(({ id }) => id ?? []));
		const put = rowsOf(kind, [...ids], whole(kind));
		for (const { id } of put) ids.delete(id);
		const reached = { vectors: lastOf(written, after.vectors), texts: lastOf(texts, after.texts), scopes: lastOf(scopes, after.scopes) };
		const scopesRead = new Set(scopes.map(({ sequence }) => sequence)).size;
		return {
			put: put.map(({ id, vector, containerTags }) => ({ id, vector, containerTags })),
			gone: [...ids],
			position: textOf(reached),
			isAtEnd: written.length < limit && texts.length < limit && scopesRead < scopesMax,
		};
	}

	return {
		chunksIn: async (ids, scope) => {
			const rows = await inScope("chunk", ids, chunkScope(organisation, scope));
			return rows.map(({ id, vector, document, position }) => ({ id: asId<ChunkId>(id), vector, document: asId<DocumentId>(document), position }));
		},
		memoriesIn: async (ids, memoryFilter) => {
			const rows = await inScope("memory", ids, memoryScope(organisation, memoryFilter));
			return rows.map(({ id, vector }) => ({ id: asId<MemoryId>(id), vector }));
		},
		listChunks: async (scope, most) => listed<ChunkId>("chunk", chunkScope(organisation, scope), most),
		listMemories: async (memoryFilter, most) => listed<MemoryId>("memory", memoryScope(organisation, memoryFilter), most),
		changesSince: async (kind, position, limit) =>
			snapshot(() => {
				const after = position === null ? beginning(kind) : positionOf(position);
				return after === null || !isOurs(kind, after) ? null : changes(kind, after, limit);
			}),
	};
}

function lastOf(rows: readonly Logged[], before: number): number {
	return rows.reduce((last, { sequence }) => Math.max(last, sequence), before);
}

function textOf({ vectors, texts, scopes }: Position): string {
	return `${vectors}.${texts}.${scopes}`;
}

function positionOf(text: string): Position | null {
	const [vectors = Number.NaN, texts = Number.NaN, scopes = Number.NaN] = text.split(".").map(Number);
	return [vectors, texts, scopes].every(Number.isSafeInteger) ? { vectors, texts, scopes } : null;
}

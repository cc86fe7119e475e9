/** Stages, publishes and reads chunks. Staged chunks are not visible; publishing makes all of them visible at once. */

import { asId, type Chunk, type EmbeddingSpace, type OrganisationId, type Place } from "cairn-memory";
import type { ChunkId, DocumentId, DocumentStore, EmbeddedChunk } from "cairn-memory/stores";
import { documentStep, type Program, type SqlContext, type SqlEngine, together } from "../executor.ts";
import { chunks, chunkVectors } from "../schema.ts";
import { columnList, manyInserter } from "../table-rows.ts";
import { type PackedVectors, packVectors, vectorAt } from "../vectors.ts";
import { deleteChunks, discard } from "./discarded.ts";
import type { DocumentKey, RevisionKey } from "./document-operations.ts";

export interface StagedChunk {
	readonly id: string;
	readonly position: number;
	readonly text: string;
	/** Null if it is the same as the text. */
	readonly indexedText: string | null;
	readonly place: string;
}

export interface StageArgs extends RevisionKey {
	readonly space: EmbeddingSpace["name"];
	readonly chunks: readonly StagedChunk[];
	readonly vectors: PackedVectors;
}

interface Editions {
	readonly revision: number;
	readonly publishedRevision: number | null;
	readonly publishedEdition: number | null;
	readonly stagedRevision: number | null;
	readonly stagedEdition: number | null;
	readonly lastEdition: number;
	/** The last of its discarded editions whose chunks are still there. */
	readonly unsweptEdition: number | null;
}

export function chunkOperations(connection: SqlContext) {
	const { statement } = connection;
	const insertChunks = manyInserter(connection, chunks);
	const insertVectors = manyInserter(connection, chunkVectors);

	function* editionsOf({ organisation, id, revision }: RevisionKey): Program<Editions | null> {
		// Chunks of a deleted document that had this id, as an import brings them back, may not be swept yet. Their numbers are not used again.
		const unswept = "SELECT max(edition) FROM discarded_editions WHERE organisation = d.organisation AND document = d.id";
		const sql = `SELECT revision, published_revision AS publishedRevision, published_edition AS publishedEdition, staged_revision AS stagedRevision,
			staged_edition AS stagedEdition, last_edition AS lastEdition, (${unswept}) AS unsweptEdition
			FROM documents d WHERE organisation = ? AND id = ? AND revision = ?`;
		const editions = yield* statement<Editions>(sql).get(organisation, id, revision);
		return editions === null ? null : { ...editions, lastEdition: Math.max(editions.lastEdition, editions.unsweptEdition ?? 0) };
	}

	/** The edition to which chunks from this position on are added. A new revision gets a new edition, and so does a staging that starts again. */
	function* editionFor(key: RevisionKey, known: Editions, position: number): Program<number> {
		const { stagedRevision, stagedEdition, lastEdition } = known;
		if (position > 0 && stagedRevision === key.revision && stagedEdition !== null) {
			yield* dropFrom(key, stagedEdition, position);
			return stagedEdition;
		}
		yield* discard(connection, key, stagedEdition);
		yield* statement("UPDATE documents SET staged_revision = ?, staged_edition = ?, last_edition = ? WHERE organisation = ? AND id = ?").run(
			key.revision,
			lastEdition + 1,
			lastEdition + 1,
			key.organisation,
			key.id,
		);
		return lastEdition + 1;
	}

	/** Deletes the chunks from this position on, so that a batch that is sent again replaces them. */
	function* dropFrom({ organisation, id }: DocumentKey, edition: number, position: number): Program<void> {
		const sql = "SELECT key FROM chunks WHERE organisation = ? AND document = ? AND edition = ? AND position >= ?";
		const keys = yield* statement<{ key: number }>(sql).all(organisation, id, edition, position);
		if (keys.length === 0) return;
		const list = keys.map(({ key }) => key);
		yield* deleteChunks(statement, organisation, list);
	}

	/** Deletes chunks of discarded editions that have the ids of the new chunks, without waiting until they are swept. */
	function* makeWay({ organisation, id }: DocumentKey, staged: readonly StagedChunk[]): Program<void> {
		const any = "SELECT 1 FROM discarded_editions WHERE organisation = ? AND document = ? LIMIT 1";
		if ((yield* statement(any).get(organisation, id)) === null) return;
		const sql = `SELECT c.key FROM json_each(?) j CROSS JOIN chunks c CROSS JOIN discarded_editions x
			ON x.organisation = c.organisation AND x.document = c.document AND x.edition = c.edition WHERE c.organisation = ? AND c.id = j.value`;
		const ids = JSON.stringify(staged.map((chunk) => chunk.id));
		const keys = yield* statement<{ key: number }>(sql).all(ids, organisation);
		if (keys.length > 0) {
			yield* deleteChunks(
				statement,
				organisation,
				keys.map(({ key }) => key),
			);
		}
	}

	return {
		stageChunks: documentStep(function* ({ space, chunks: staged, vectors, ...key }: StageArgs): Program<boolean> {
			const known = yield* editionsOf(key);
			if (known === null) return false;
			const { organisation, id: document, revision } = key;
			const first = staged[0];
			if (first === undefined) return true;
			const edition = yield* editionFor(key, known, first.position);
			// Otherwise nothing of it was ever discarded, or all of that is swept.
			if (known.unsweptEdition !== null || known.stagedEdition !== null) yield* makeWay(key, staged);
			yield* together(
				insertChunks(staged.map((chunk) => ({ ...chunk, organisation, document, revision, edition }))),
				insertVectors(staged.map(({ id: chunk }, i) => ({ organisation, space, chunk, vector: vectorAt(vectors, i) }))),
			);
			return true;
		}),

		// It need not be durable: after a power cut the job still exists, and publishes again.
		publishRevision: documentStep(function* ({ now, ...key }: RevisionKey & { now: Date }): Program<boolean> {
			const known = yield* editionsOf(key);
			if (known === null) return false;
			const { publishedRevision, publishedEdition, stagedRevision, stagedEdition, lastEdition } = known;
			const isStaged = stagedRevision === key.revision;
			// The revision is published already: the call was repeated.
			if (!isStaged && publishedRevision === key.revision) return true;
			yield* discard(connection, key, publishedEdition);
			if (!isStaged) yield* discard(connection, key, stagedEdition);
			const edition = isStaged ? stagedEdition : lastEdition + 1;
			const sql = `UPDATE documents SET published_revision = ?, published_edition = ?, last_edition = max(last_edition, ?),
				staged_revision = NULL, staged_edition = NULL, updated_at = ? WHERE organisation = ? AND id = ?`;
			yield* statement(sql).run(key.revision, edition, edition, now.getTime(), key.organisation, key.id);
			return true;
		}),
	};
}

/** This many chunks take about 5 ms in either thread. */
const chunksPerPart = 100;

/** Sends chunks to the writer in parts, so that other writes can run between them. While a part is written, the next one is prepared; at most two are sent at a time. */
export async function stageInParts(key: RevisionKey, space: EmbeddingSpace, chunks: readonly EmbeddedChunk[], write: SqlEngine["write"]): Promise<boolean> {
	let before: Promise<boolean> | null = null;
	for (let start = 0; start < chunks.length || start === 0; start += chunksPerPart) {
		const part = chunks.slice(start, start + chunksPerPart);
		const vectors = packVectors(part.map(({ vector }) => vector));
		const args = { ...key, space: space.name, chunks: part.map(stagedChunk), vectors };
		if (before !== null && !(await before)) return false;
		before = write("stageChunks", args, [vectors.bytes.buffer]);
		before.catch(() => undefined); // it is awaited below or in the next round; until then it is not unhandled
	}
	return (await before) ?? true;
}

function stagedChunk({ chunk }: EmbeddedChunk): StagedChunk {
	const { id, position, text, indexedText, place } = chunk;
	return { id, position, text, indexedText: indexedText === text ? null : indexedText, place: JSON.stringify(place) };
}

type ChunkRow = typeof chunks.$inferSelect;

/** This many chunks are read without a pause, in 4 ms. A search that has found a long document asks for thousands. */
const chunksAtOnce = 200;

/** The published chunks. */
const select = `SELECT ${columnList(chunks, "c")} FROM documents d JOIN chunks c
	ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition`;

// CROSS JOIN fixes the order: from the few ids to their chunks and documents, and from the documents to their positions.
const selectById = `SELECT ${columnList(chunks, "c")} FROM json_each(?) j CROSS JOIN chunks c CROSS JOIN documents d
	ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition
	WHERE c.organisation = ? AND c.id = j.value ORDER BY j.key`;
const selectAt = `SELECT ${columnList(chunks, "c")} FROM json_each(?) j CROSS JOIN documents d ON d.organisation = ? AND d.id = j.value ->> 0
	CROSS JOIN json_each(j.value, '$[1]') p CROSS JOIN chunks c
	ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition AND c.position = CAST(p.value AS BIGINT) ORDER BY j.key, c.position`;

export function chunkReads(
	organisation: OrganisationId,
	{ statement, read }: Pick<SqlEngine, "statement" | "read">,
): Pick<DocumentStore, "chunks" | "chunksOf" | "chunksAt"> {
	return {
		chunks: async (ids) => {
			const found: Chunk[] = [];
			for (let start = 0; start < ids.length; start += chunksAtOnce) {
				const part = ids.slice(start, start + chunksAtOnce);
				found.push(...(await read(statement<ChunkRow>(selectById).all(JSON.stringify(part), organisation))).map(chunkOf));
				if (part.length === chunksAtOnce) await new Promise((resolve) => setImmediate(resolve));
			}
			return found;
		},
		chunksOf: async (id) =>
			(await read(statement<ChunkRow>(`${select} WHERE d.organisation = ? AND d.id = ? ORDER BY c.position`).all(organisation, id))).map(chunkOf),
		chunksAt: async (places) => {
			const found: Chunk[] = [];
			for (const [i, part] of inParts(places).entries()) {
				if (i > 0) await new Promise((resolve) => setImmediate(resolve));
				found.push(...(await read(statement<ChunkRow>(selectAt).all(JSON.stringify(part), organisation))).map(chunkOf));
			}
			return found;
		},
	};
}

/** Splits the request into parts, each with as many documents as have `chunksAtOnce` positions together. */
function inParts(places: ReadonlyMap<DocumentId, readonly number[]>): readonly (readonly [DocumentId, readonly number[]])[][] {
	const parts: (readonly [DocumentId, readonly number[]])[][] = [];
	let room = 0;
	for (const place of places) {
		if (room < place[1].length) room = chunksAtOnce;
		if (room === chunksAtOnce) parts.push([]);
		parts.at(-1)?.push(place);
		room -= place[1].length;
	}
	return parts;
}

function chunkOf({ id, document, revision, position, text, indexedText, place: json }: ChunkRow): Chunk {
	const place: Place = JSON.parse(json);
	return { id: asId<ChunkId>(id), document: asId<DocumentId>(document), revision, position, text, indexedText: indexedText ?? text, place };
}

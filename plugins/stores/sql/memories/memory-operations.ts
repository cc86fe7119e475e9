/** The writes of the memory store. */

import type { EmbeddingSpace, Memory, MemoryId, OrganisationId } from "cairn-memory";
import type { DocumentId, Evidence, Ground, MemoryAmendment, MemoryEdge } from "cairn-memory/stores";
import { containerOpener } from "../containers.ts";
import type { DocumentKey } from "../documents/document-operations.ts";
import { durable, type Program, type SqlContext } from "../executor.ts";
import { memories, memoryEvidence, memoryMetadata, memoryVectors } from "../schema.ts";
import { metadataRows } from "../scopes/metadata-sql.ts";
import { inserter } from "../table-rows.ts";
import { type PackedVectors, vectorAt } from "../vectors.ts";
import { memoryRemoval } from "./memory-removal.ts";
import { edgeWriter, memoryRow } from "./memory-rows.ts";
import { hasEnded } from "./undo-end.ts";

export interface SaveArgs {
	readonly organisation: OrganisationId;
	readonly space: EmbeddingSpace["name"];
	readonly memories: readonly Memory[];
	readonly vectors: PackedVectors;
	readonly edges: readonly MemoryEdge[];
}

interface Standing {
	readonly containerTag: string;
	readonly isLatest: boolean;
}

/** The same absence anew: it has no end yet. */
const again = "ON CONFLICT (organisation, memory, kind, begins) DO UPDATE SET ends = NULL";

export function memoryOperations(connection: SqlContext) {
	const { statement } = connection;
	const insertMemory = inserter(connection, memories);
	const insertVector = inserter(connection, memoryVectors);
	const insertElement = inserter(connection, memoryMetadata);
	const insertEvidence = inserter(connection, memoryEvidence);
	const writeEdge = edgeWriter(connection);
	const removal = memoryRemoval(connection);
	const openContainers = containerOpener(connection);

	function* documentExists(organisation: OrganisationId, document: DocumentId): Program<boolean> {
		return (yield* statement("SELECT 1 FROM documents WHERE organisation = ? AND id = ?").get(organisation, document)) !== null;
	}

	/** Null if there is no such memory. */
	function* isLatest(organisation: OrganisationId, id: MemoryId): Program<boolean | null> {
		const row = yield* statement<{ latest: number }>("SELECT is_latest AS latest FROM memories WHERE organisation = ? AND id = ?").get(organisation, id);
		return row === null ? null : row.latest === 1;
	}

	/** Of those of the memories that exist, their containers, and whether each is its latest version. */
	function* standingsOf(organisation: OrganisationId, ids: readonly MemoryId[]): Program<ReadonlyMap<MemoryId, Standing>> {
		if (ids.length === 0) return new Map();
		const sql =
			"SELECT m.id, m.container_tag AS tag, m.is_latest AS latest FROM json_each(?) j CROSS JOIN memories m WHERE m.organisation = ? AND m.id = j.value";
		const rows = yield* statement<{ id: MemoryId; tag: string; latest: number }>(sql).all(JSON.stringify(ids), organisation);
		return new Map(rows.map(({ id, tag, latest }) => [id, { containerTag: tag, isLatest: latest === 1 }]));
	}

	/** Those of the documents that exist. */
	function* existingOf(organisation: OrganisationId, documents: readonly DocumentId[]): Program<ReadonlySet<DocumentId>> {
		if (documents.length === 0) return new Set();
		const sql = "SELECT d.id FROM json_each(?) j CROSS JOIN documents d WHERE d.organisation = ? AND d.id = j.value";
		return new Set((yield* statement<{ id: DocumentId }>(sql).all(JSON.stringify(documents), organisation)).map(({ id }) => id));
	}

	/** Those of the documents that are in a container. */
	function* documentsIn(organisation: OrganisationId, tag: string, documents: readonly DocumentId[]): Program<ReadonlySet<DocumentId>> {
		if (documents.length === 0) return new Set();
		const sql = "SELECT t.document AS id FROM json_each(?) j CROSS JOIN document_tags t WHERE t.organisation = ? AND t.tag = ? AND t.document = j.value";
		return new Set((yield* statement<{ id: DocumentId }>(sql).all(JSON.stringify(documents), organisation, tag)).map(({ id }) => id));
	}

	/**
	 * The memories to save, by index. An extracted memory needs evidence in a document that still exists in its container; one that a client
	 * wrote does not.
	 */
	function* supported({ organisation, memories: saved }: SaveArgs): Program<ReadonlyMap<number, Memory>> {
		const found = new Map<number, Memory>();
		const documents = [...new Set(saved.flatMap(({ evidence }) => evidence.map(({ document }) => document)))];
		const existing = yield* existingOf(organisation, documents);
		const inContainer = new Map<string, ReadonlySet<DocumentId>>();
		for (const tag of new Set(saved.map(({ containerTag }) => containerTag))) inContainer.set(tag, yield* documentsIn(organisation, tag, [...existing]));
		for (const [i, memory] of saved.entries()) {
			const evidence = memory.evidence.filter(({ document }) => existing.has(document));
			const isSupported = memory.extractor === null || evidence.some(({ document }) => inContainer.get(memory.containerTag)?.has(document) === true);
			if (isSupported) found.set(i, { ...memory, evidence });
		}
		return found;
	}

	function* saveOne({ organisation, space, vectors }: SaveArgs, i: number, memory: Memory): Program<void> {
		yield* insertMemory(memoryRow(organisation, memory));
		yield* insertVector({ organisation, space, memory: memory.id, vector: vectorAt(vectors, i) });
		for (const row of metadataRows(memory.metadata)) yield* insertElement({ organisation, memory: memory.id, ...row });
		yield* addEvidence(organisation, memory.id, memory.evidence, 0);
	}

	function* addEvidence(organisation: OrganisationId, memory: MemoryId, evidence: Memory["evidence"], from: number): Program<void> {
		for (const [i, { document, chunk, span, words }] of evidence.entries())
			yield* insertEvidence({ organisation, memory, ordinal: from + i, document, chunk, spanBegin: span[0], spanEnd: span[1], words: words ?? null });
	}

	function* appendEvidence(organisation: OrganisationId, memory: MemoryId, evidence: Memory["evidence"]): Program<void> {
		const sql = "SELECT coalesce(max(ordinal), -1) + 1 AS next FROM memory_evidence WHERE organisation = ? AND memory = ?";
		yield* addEvidence(organisation, memory, evidence, (yield* statement<{ next: number }>(sql).get(organisation, memory))?.next ?? 0);
	}

	/** Replaces the evidence of a memory in a document. `updated_at` stays, because the memory itself does not change. */
	function* ground({ organisation, id }: DocumentKey, { memory, evidence }: Ground): Program<void> {
		if ((yield* isLatest(organisation, memory)) === null) return;
		yield* statement("DELETE FROM memory_evidence WHERE organisation = ? AND memory = ? AND document = ?").run(organisation, memory, id);
		yield* appendEvidence(organisation, memory, evidence);
	}

	function* saveEdge(organisation: OrganisationId, { from, to, relation }: MemoryEdge): Program<void> {
		yield* writeEdge(organisation, { source: from, target: to, relation });
		if (relation === "updates") yield* statement("UPDATE memories SET is_latest = 0 WHERE organisation = ? AND id = ?").run(organisation, to);
	}

	/** The evidence that a memory has. */
	function* evidenceOf(organisation: OrganisationId, memory: MemoryId): Program<readonly Evidence[]> {
		const sql = "SELECT document, chunk, span_begin AS begin, span_end AS end FROM memory_evidence WHERE organisation = ? AND memory = ?";
		const rows = yield* statement<{ document: DocumentId; chunk: Evidence["chunk"]; begin: number; end: number }>(sql).all(organisation, memory);
		return rows.map(({ document, chunk, begin, end }) => ({ document, chunk, span: [begin, end] }));
	}

	/** Stores that the memories are absent from now on. An expired memory has been absent since it expired. An absence of no length is replaced. */
	function* beginAbsences(organisation: OrganisationId, ids: readonly MemoryId[], now: Date): Program<void> {
		const sql = `INSERT INTO memory_absences (organisation, memory, kind, begins) SELECT organisation, id, 'forgotten', min(?1, coalesce(forget_after, ?1)) FROM memories
			WHERE organisation = ?2 AND id IN (SELECT value FROM json_each(?3)) AND is_forgotten = 0 ${again}`;
		yield* statement(sql).run(now.getTime(), organisation, JSON.stringify(ids));
	}

	return {
		/** @returns false if a memory that is to be replaced is no longer the latest of the container, and is not saved by the same call. Then nothing is saved. */
		saveMemories: durable(function* (args: SaveArgs): Program<boolean> {
			const { organisation, edges } = args;
			const saved = yield* supported(args);
			const savedTags = new Map([...saved.values()].map(({ id, containerTag }) => [id, containerTag]));
			const others = new Set(edges.flatMap(({ from, to }) => [from, to].filter((id) => !savedTags.has(id))));
			const known = yield* standingsOf(organisation, [...others]);
			const isStale = ({ from, to, relation }: MemoryEdge) => {
				if (relation !== "updates" || !savedTags.has(from) || savedTags.has(to)) return false;
				const replaced = known.get(to);
				return replaced?.isLatest !== true || replaced.containerTag !== savedTags.get(from);
			};
			if (edges.some(isStale)) return false;
			for (const [tag, [first]] of Map.groupBy(saved.values(), ({ containerTag }) => containerTag))
				if (first !== undefined) yield* openContainers(organisation, [tag], first.createdAt);
			for (const [i, memory] of saved) yield* saveOne(args, i, memory);
			// An end may not have been saved, because its evidence is gone.
			const exists = (id: MemoryId) => savedTags.has(id) || known.has(id);
			for (const edge of edges) if (exists(edge.from) && exists(edge.to)) yield* saveEdge(organisation, edge);
			return true;
		}),

		supportMemory: durable(function* (args: { organisation: OrganisationId; id: MemoryId; evidence: Memory["evidence"]; now: Date }): Program<boolean> {
			const { organisation, id, evidence, now } = args;
			if ((yield* isLatest(organisation, id)) === null) return false;
			const documents = yield* existingOf(organisation, [...new Set(evidence.map(({ document }) => document))]);
			const found = evidence.filter(({ document }) => documents.has(document));
			if (found.length === 0) return false;
			const before = yield* evidenceOf(organisation, id);
			const added = found.filter((place) => !before.some((other) => isSame(place, other)));
			yield* appendEvidence(organisation, id, added);
			yield* statement("UPDATE memories SET updated_at = ? WHERE organisation = ? AND id = ?").run(now.getTime(), organisation, id);
			return true;
		}),

		regroundDocument: durable(function* (args: DocumentKey & { grounds: readonly Ground[]; gone: readonly MemoryId[]; now: Date }): Program<void> {
			const { grounds, gone, now, ...key } = args;
			yield* removal.takeBackSome(key, gone, now);
			if (yield* documentExists(key.organisation, key.id)) for (const each of grounds) yield* ground(key, each);
		}),

		forgetMemories: durable(function* (args: { organisation: OrganisationId; ids: readonly MemoryId[]; reason: string | null; now: Date }): Program<number> {
			const { organisation, ids, reason, now } = args;
			yield* beginAbsences(organisation, ids, now);
			const sql = `UPDATE memories SET is_forgotten = 1, forget_reason = ?, updated_at = ?
				WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND is_forgotten = 0`;
			return (yield* statement(sql).run(reason, now.getTime(), organisation, JSON.stringify(ids))).changes;
		}),

		restoreMemories: durable(function* (args: { organisation: OrganisationId; ids: readonly MemoryId[]; now: Date }): Program<number> {
			const { organisation, now } = args;
			const restorable = `SELECT m.id FROM json_each(?2) j CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value AND m.is_forgotten = 1
				AND NOT ${hasEnded("m.id", "?3")}`;
			const ids = yield* statement<{ id: MemoryId }>(restorable).all(organisation, JSON.stringify(args.ids), now.getTime());
			const listed = JSON.stringify(ids.map(({ id }) => id));
			const endAbsences = "UPDATE memory_absences SET ends = ? WHERE organisation = ? AND memory IN (SELECT value FROM json_each(?)) AND ends IS NULL";
			yield* statement(endAbsences).run(now.getTime(), organisation, listed);
			// A memory that is restored after it expired does not expire again.
			const sql = `UPDATE memories SET is_forgotten = 0, forget_reason = NULL, updated_at = ?1, forget_after = CASE WHEN forget_after <= ?1 THEN NULL ELSE forget_after END
				WHERE organisation = ?2 AND id IN (SELECT value FROM json_each(?3))`;
			return (yield* statement(sql).run(now.getTime(), organisation, listed)).changes;
		}),

		eraseMemories: durable(function* (args: { organisation: OrganisationId; ids: readonly MemoryId[]; now: Date }): Program<number> {
			return yield* removal.eraseAll(args.organisation, args.ids, args.now);
		}),

		/** Forgets up to `limit` memories that have expired. @returns how many. */
		sweepExpired: durable(function* ({ now, limit }: { now: Date; limit: number }): Program<number> {
			const sql = `SELECT key FROM memories WHERE forget_after <= ? AND is_latest = 1 AND is_forgotten = 0 ORDER BY forget_after LIMIT ?`;
			const due = yield* statement<{ key: number }>(sql).all(now.getTime(), limit);
			const expired = JSON.stringify(due.map(({ key }) => key));
			const listed = "key IN (SELECT CAST(value AS BIGINT) FROM json_each(?))";
			yield* statement(
				`INSERT INTO memory_absences (organisation, memory, kind, begins) SELECT organisation, id, 'expired', forget_after FROM memories WHERE ${listed} ${again}`,
			).run(expired);
			const forget = `UPDATE memories SET is_forgotten = 1, forget_reason = coalesce(forget_reason, 'expired'), updated_at = ? WHERE ${listed}`;
			return (yield* statement(forget).run(now.getTime(), expired)).changes;
		}),

		rehomeMemories: durable(function* (args: { organisation: OrganisationId; from: string; to: string; limit: number; now: Date }): Program<number> {
			const { organisation, from, to, limit, now } = args;
			const sql = `UPDATE memories SET container_tag = ?1, updated_at = ?2
				WHERE key IN (SELECT key FROM memories WHERE organisation = ?3 AND container_tag = ?4 LIMIT ?5)`;
			const { changes } = yield* statement(sql).run(to, now.getTime(), organisation, from, limit);
			if (changes > 0) yield* openContainers(organisation, [to], now);
			return changes;
		}),

		amendMemory: durable(function* (args: { organisation: OrganisationId; id: MemoryId; amendment: MemoryAmendment; now: Date }): Program<boolean> {
			const { organisation, id, amendment, now } = args;
			const { isInference = null, metadata, reviewAfter } = amendment;
			const sql = `UPDATE memories SET is_inference = coalesce(?, is_inference), metadata = coalesce(?, metadata), review_after = coalesce(?, review_after),
				updated_at = ? WHERE organisation = ? AND id = ?`;
			const inference = isInference === null ? null : Number(isInference);
			const values = [inference, metadata === undefined ? null : JSON.stringify(metadata), reviewAfter?.getTime() ?? null];
			const { changes } = yield* statement(sql).run(...values, now.getTime(), organisation, id);
			if (changes === 0) return false;
			if (metadata !== undefined) {
				yield* statement("DELETE FROM memory_metadata WHERE organisation = ? AND memory = ?").run(organisation, id);
				for (const row of metadataRows(metadata)) yield* insertElement({ organisation, memory: id, ...row });
			}
			return true;
		}),
	};
}

function isSame(a: Evidence, b: Evidence): boolean {
	return a.document === b.document && a.chunk === b.chunk && a.span[0] === b.span[0] && a.span[1] === b.span[1];
}

/** The writes of the memory store. */

import type { EmbeddingSpace, Memory, MemoryId, OrganisationId } from "cairn-memory";
import type { DocumentId, Evidence, Ground, MemoryAmendment, MemoryEdge } from "cairn-memory/stores";
import { containerOpener } from "../containers.ts";
import type { DocumentKey } from "../documents/document-operations.ts";
import { durable, type Executor } from "../executor.ts";
import { memories, memoryEvidence, memoryMetadata, memoryVectors } from "../schema.ts";
import { metadataRows } from "../scopes/metadata-sql.ts";
import { inserter } from "../table-rows.ts";
import { type PackedVectors, vectorAt } from "../vectors.ts";
import { memoryRemoval } from "./memory-removal.ts";
import { edgeWriter, memoryRow } from "./memory-rows.ts";

export interface SaveArgs {
	readonly organisation: OrganisationId;
	readonly space: EmbeddingSpace["name"];
	readonly memories: readonly Memory[];
	readonly vectors: PackedVectors;
	readonly edges: readonly MemoryEdge[];
}

export function memoryOperations(connection: Executor) {
	const { statement } = connection;
	const insertMemory = inserter(connection, memories);
	const insertVector = inserter(connection, memoryVectors);
	const insertElement = inserter(connection, memoryMetadata);
	const insertEvidence = inserter(connection, memoryEvidence);
	const writeEdge = edgeWriter(connection);
	const removal = memoryRemoval(connection);
	const openContainers = containerOpener(connection);

	function documentExists(organisation: OrganisationId, document: DocumentId): boolean {
		return statement("SELECT 1 FROM documents WHERE organisation = ? AND id = ?").get(organisation, document) !== null;
	}

	/** Null if there is no such memory. */
	function isLatest(organisation: OrganisationId, id: MemoryId): boolean | null {
		const row = statement<{ latest: number }>("SELECT is_latest AS latest FROM memories WHERE organisation = ? AND id = ?").get(organisation, id);
		return row === null ? null : row.latest === 1;
	}

	function isInContainer(organisation: OrganisationId, document: DocumentId, tag: string): boolean {
		return statement("SELECT 1 FROM document_tags WHERE organisation = ? AND tag = ? AND document = ?").get(organisation, tag, document) !== null;
	}

	/**
	 * The memories to save, by index. An extracted memory needs evidence in a document that still exists in its container; one that a client
	 * wrote does not.
	 */
	function supported({ organisation, memories: saved }: SaveArgs): ReadonlyMap<number, Memory> {
		const found = new Map<number, Memory>();
		for (const [i, memory] of saved.entries()) {
			const evidence = memory.evidence.filter(({ document }) => documentExists(organisation, document));
			const hasSource = evidence.some(({ document }) => isInContainer(organisation, document, memory.containerTag));
			if (hasSource || memory.extractor === null) found.set(i, { ...memory, evidence });
		}
		return found;
	}

	/** Whether every memory that is to be replaced is still the latest, or is saved by the same call. */
	function targetsAreLatest({ organisation, edges }: SaveArgs, saved: ReadonlySet<MemoryId>): boolean {
		const targets = edges.filter(({ from, relation }) => relation === "updates" && saved.has(from)).map(({ to }) => to);
		return targets.every((id) => saved.has(id) || isLatest(organisation, id) === true);
	}

	function saveOne({ organisation, space, vectors }: SaveArgs, i: number, memory: Memory): void {
		insertMemory(memoryRow(organisation, memory));
		insertVector({ organisation, space, memory: memory.id, vector: vectorAt(vectors, i) });
		for (const row of metadataRows(memory.metadata)) insertElement({ organisation, memory: memory.id, ...row });
		addEvidence(organisation, memory.id, memory.evidence, 0);
	}

	function addEvidence(organisation: OrganisationId, memory: MemoryId, evidence: Memory["evidence"], from: number): void {
		for (const [i, { document, chunk, span, words }] of evidence.entries())
			insertEvidence({ organisation, memory, ordinal: from + i, document, chunk, spanBegin: span[0], spanEnd: span[1], words: words ?? null });
	}

	function appendEvidence(organisation: OrganisationId, memory: MemoryId, evidence: Memory["evidence"]): void {
		const sql = "SELECT coalesce(max(ordinal), -1) + 1 AS next FROM memory_evidence WHERE organisation = ? AND memory = ?";
		addEvidence(organisation, memory, evidence, statement<{ next: number }>(sql).get(organisation, memory)?.next ?? 0);
	}

	/** Replaces the evidence of a memory in a document. `updated_at` stays, because the memory itself does not change. */
	function ground({ organisation, id }: DocumentKey, { memory, evidence }: Ground): void {
		if (isLatest(organisation, memory) === null) return;
		statement("DELETE FROM memory_evidence WHERE organisation = ? AND memory = ? AND document = ?").run(organisation, memory, id);
		appendEvidence(organisation, memory, evidence);
	}

	/** Skips an edge if one of its ends does not exist: it may not have been saved, because its evidence is gone. */
	function saveEdge(organisation: OrganisationId, { from, to, relation }: MemoryEdge): void {
		if (isLatest(organisation, from) === null || isLatest(organisation, to) === null) return;
		writeEdge(organisation, { source: from, target: to, relation });
		if (relation === "updates") statement("UPDATE memories SET is_latest = 0 WHERE organisation = ? AND id = ?").run(organisation, to);
	}

	/** The evidence that a memory has. */
	function evidenceOf(organisation: OrganisationId, memory: MemoryId): readonly Evidence[] {
		const sql = "SELECT document, chunk, span_begin AS begin, span_end AS end FROM memory_evidence WHERE organisation = ? AND memory = ?";
		const rows = statement<{ document: DocumentId; chunk: Evidence["chunk"]; begin: number; end: number }>(sql).all(organisation, memory);
		return rows.map(({ document, chunk, begin, end }) => ({ document, chunk, span: [begin, end] }));
	}

	/** Stores that the memories are absent from now on. An expired memory has been absent since it expired. An absence of no length is replaced. */
	function beginAbsences(organisation: OrganisationId, ids: readonly MemoryId[], now: Date): void {
		const sql = `INSERT OR REPLACE INTO memory_absences (organisation, memory, kind, begins) SELECT organisation, id, 'forgotten', min(?1, coalesce(forget_after, ?1)) FROM memories
			WHERE organisation = ?2 AND id IN (SELECT value FROM json_each(?3)) AND is_forgotten = 0`;
		statement(sql).run(now.getTime(), organisation, JSON.stringify(ids));
	}

	return {
		saveMemories: durable((args: SaveArgs): boolean => {
			const saved = supported(args);
			if (!targetsAreLatest(args, new Set([...saved.values()].map(({ id }) => id)))) return false;
			for (const [i, memory] of saved) {
				openContainers(args.organisation, [memory.containerTag], memory.createdAt);
				saveOne(args, i, memory);
			}
			for (const edge of args.edges) saveEdge(args.organisation, edge);
			return true;
		}),

		supportMemory: durable((args: { organisation: OrganisationId; id: MemoryId; evidence: Memory["evidence"]; now: Date }): boolean => {
			const { organisation, id, evidence, now } = args;
			if (isLatest(organisation, id) === null) return false;
			const existing = evidence.filter(({ document }) => documentExists(organisation, document));
			if (existing.length === 0) return false;
			const before = evidenceOf(organisation, id);
			const added = existing.filter((place) => !before.some((other) => isSame(place, other)));
			appendEvidence(organisation, id, added);
			statement("UPDATE memories SET updated_at = ? WHERE organisation = ? AND id = ?").run(now.getTime(), organisation, id);
			return true;
		}),

		regroundDocument: durable((args: DocumentKey & { grounds: readonly Ground[]; gone: readonly MemoryId[]; now: Date }): void => {
			const { grounds, gone, now, ...key } = args;
			removal.takeBackSome(key, gone, now);
			if (documentExists(key.organisation, key.id)) for (const each of grounds) ground(key, each);
		}),

		forgetMemories: durable((args: { organisation: OrganisationId; ids: readonly MemoryId[]; reason: string | null; now: Date }): number => {
			const { organisation, ids, reason, now } = args;
			beginAbsences(organisation, ids, now);
			const sql = `UPDATE memories SET is_forgotten = 1, forget_reason = ?, updated_at = ?
				WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND is_forgotten = 0`;
			return statement(sql).run(reason, now.getTime(), organisation, JSON.stringify(ids)).changes;
		}),

		restoreMemories: durable((args: { organisation: OrganisationId; ids: readonly MemoryId[]; now: Date }): number => {
			const { organisation, ids, now } = args;
			const listed = JSON.stringify(ids);
			const endAbsences = "UPDATE memory_absences SET ends = ? WHERE organisation = ? AND memory IN (SELECT value FROM json_each(?)) AND ends IS NULL";
			statement(endAbsences).run(now.getTime(), organisation, listed);
			// A memory that is restored after it expired does not expire again.
			const sql = `UPDATE memories SET is_forgotten = 0, forget_reason = NULL, updated_at = ?1, forget_after = iif(forget_after <= ?1, NULL, forget_after)
				WHERE organisation = ?2 AND id IN (SELECT value FROM json_each(?3)) AND is_forgotten = 1`;
			return statement(sql).run(now.getTime(), organisation, listed).changes;
		}),

		/** Forgets up to `limit` memories that have expired. @returns how many. */
		sweepExpired: durable(({ now, limit }: { now: Date; limit: number }): number => {
			const sql = `SELECT key FROM memories WHERE forget_after <= ? AND is_latest = 1 AND is_forgotten = 0 ORDER BY forget_after LIMIT ?`;
			const expired = JSON.stringify(
				statement<{ key: number }>(sql)
					.all(now.getTime(), limit)
					.map(({ key }) => key),
			);
			const listed = "key IN (SELECT value FROM json_each(?))";
			statement(
				`INSERT OR REPLACE INTO memory_absences (organisation, memory, kind, begins) SELECT organisation, id, 'expired', forget_after FROM memories WHERE ${listed}`,
			).run(expired);
			const forget = `UPDATE memories SET is_forgotten = 1, forget_reason = coalesce(forget_reason, 'expired'), updated_at = ? WHERE ${listed}`;
			return statement(forget).run(now.getTime(), expired).changes;
		}),

		rehomeMemories: durable((args: { organisation: OrganisationId; from: string; to: string; limit: number; now: Date }): number => {
			const { organisation, from, to, limit, now } = args;
			const sql = `UPDATE memories SET container_tag = ?1, updated_at = ?2
				WHERE key IN (SELECT key FROM memories WHERE organisation = ?3 AND container_tag = ?4 LIMIT ?5)`;
			const { changes } = statement(sql).run(to, now.getTime(), organisation, from, limit);
			if (changes > 0) openContainers(organisation, [to], now);
			return changes;
		}),

		amendMemory: durable((args: { organisation: OrganisationId; id: MemoryId; amendment: MemoryAmendment; now: Date }): boolean => {
			const { organisation, id, amendment, now } = args;
			const { isInference = null, metadata, reviewAfter } = amendment;
			const sql = `UPDATE memories SET is_inference = coalesce(?, is_inference), metadata = coalesce(?, metadata), review_after = coalesce(?, review_after),
				updated_at = ? WHERE organisation = ? AND id = ?`;
			const inference = isInference === null ? null : Number(isInference);
			const values = [inference, metadata === undefined ? null : JSON.stringify(metadata), reviewAfter?.getTime() ?? null];
			const { changes } = statement(sql).run(...values, now.getTime(), organisation, id);
			if (changes === 0) return false;
			if (metadata !== undefined) {
				statement("DELETE FROM memory_metadata WHERE organisation = ? AND memory = ?").run(organisation, id);
				for (const row of metadataRows(metadata)) insertElement({ organisation, memory: id, ...row });
			}
			return true;
		}),
	};
}

function isSame(a: Evidence, b: Evidence): boolean {
	return a.document === b.document && a.chunk === b.chunk && a.span[0] === b.span[0] && a.span[1] === b.span[1];
}

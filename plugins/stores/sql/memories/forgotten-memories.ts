/**
 * Ends the undo period of forgotten memories. What a client wrote is deleted for good: its own memories, with the text in their source
 * document, and its corrections. What was extracted from a document stays, hidden, as long as the document says it, because by it a
 * statement is recognised that must stay forgotten.
 */

import type { MemoryId, OrganisationId } from "cairn-memory";
import type { DocumentId } from "cairn-memory/stores";
import { deleteChunks } from "../documents/discarded.ts";
import { documentOperations } from "../documents/document-operations.ts";
import { durable, type Program, type SqlContext } from "../executor.ts";
import { memoryRemoval } from "./memory-removal.ts";

/** The record of memories that were forgotten together. */
interface Batch {
	readonly ids: readonly MemoryId[];
	/** When they were forgotten, as epoch milliseconds; absent in records of earlier versions. */
	readonly at?: number;
}

interface Written {
	readonly id: MemoryId;
	readonly createdAt: number;
	/** The memory that was forgotten: this one, or a later version. */
	readonly forgotten: MemoryId;
}

interface Passage {
	readonly document: DocumentId;
	readonly chunk: string;
}

/** The versions that a client wrote, of a memory that was forgotten by hand and not restored and forgotten again. */
const writtenVersions = `SELECT x.id, x.created_at AS createdAt, f.id AS forgotten FROM json_each(?2) j
	CROSS JOIN memories f ON f.organisation = ?1 AND f.id = j.value
	CROSS JOIN memories x ON x.organisation = ?1 AND (x.id = coalesce(f.root, f.id) OR x.root = coalesce(f.root, f.id)) AND x.version <= f.version
	WHERE f.is_forgotten = 1 AND x.extractor IS NULL AND (x.is_latest = 0 OR x.is_forgotten = 1)
	AND EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ?1 AND a.memory = f.id AND a.kind = 'forgotten' AND a.ends IS NULL
		AND a.begins <= ?3 AND (f.forget_after IS NULL OR f.forget_after > a.begins))`;

/** A document that was made for memories of a client, unless it was changed since. */
const isMadeForMemories = "d.task_type = 'superrag' AND d.custom_id IS NULL AND d.written_by IS NULL AND d.revision = 1";

export function forgottenOperations(connection: SqlContext) {
	const { statement } = connection;
	const removal = memoryRemoval(connection);
	const { removeDocument } = documentOperations(connection);

	/** Hides the newest extracted version before those that a client wrote, in whose place the document would else say it again. */
	function* hideExtracted(organisation: OrganisationId, { forgotten }: Written, firstWrittenAt: number): Program<void> {
		const sql = `SELECT x.id FROM memories f CROSS JOIN memories x ON x.organisation = f.organisation
			AND (x.id = coalesce(f.root, f.id) OR x.root = coalesce(f.root, f.id)) AND x.version < f.version
			WHERE f.organisation = ? AND f.id = ? AND x.extractor IS NOT NULL AND x.is_forgotten = 0 ORDER BY x.version DESC LIMIT 1`;
		const last = yield* statement<{ id: MemoryId }>(sql).get(organisation, forgotten);
		if (last === null) return;
		const hide = `UPDATE memories SET is_forgotten = 1, updated_at = (SELECT updated_at FROM memories WHERE organisation = ?1 AND id = ?2)
			WHERE organisation = ?1 AND id = ?3`;
		yield* statement(hide).run(organisation, forgotten, last.id);
		// It had been replaced since then, and stays so for whoever asks about an earlier time.
		const absent = "INSERT INTO memory_absences (organisation, memory, kind, begins) VALUES (?, ?, 'forgotten', ?) ON CONFLICT DO NOTHING";
		yield* statement(absent).run(organisation, last.id, firstWrittenAt);
	}

	/** The passages of the documents that were made for these memories. */
	function passagesOf(organisation: OrganisationId, memories: readonly MemoryId[]): Program<readonly Passage[]> {
		const sql = `SELECT DISTINCT e.document, e.chunk FROM json_each(?2) j CROSS JOIN memory_evidence e ON e.organisation = ?1 AND e.memory = j.value
			CROSS JOIN documents d ON d.organisation = ?1 AND d.id = e.document WHERE ${isMadeForMemories}`;
		return statement<Passage>(sql).all(organisation, JSON.stringify(memories));
	}

	/** Takes a passage out of its document, and removes the document with the last one. */
	function* takeOut(organisation: OrganisationId, { document, chunk }: Passage, now: Date): Program<void> {
		const inUse = "SELECT 1 FROM memory_evidence WHERE organisation = ? AND document = ? AND chunk = ? LIMIT 1";
		if ((yield* statement(inUse).get(organisation, document, chunk)) !== null) return;
		const sql = "SELECT key, id, text FROM chunks WHERE organisation = ? AND document = ? ORDER BY position";
		const chunks = yield* statement<{ key: number; id: string; text: string }>(sql).all(organisation, document);
		const left = chunks.filter(({ id }) => id !== chunk);
		if (left.length === 0) {
			yield* removeDocument.run({ organisation, id: document, now });
			return;
		}
		yield* deleteChunks(
			statement,
			organisation,
			chunks.flatMap(({ key, id }) => (id === chunk ? [key] : [])),
		);
		const text = left.map((each) => each.text).join("\n");
		yield* statement("UPDATE document_texts SET content = ? WHERE organisation = ? AND document = ?").run(text, organisation, document);
		// Its title was the beginning of its first memory.
		yield* statement("UPDATE documents SET title = NULL, updated_at = ? WHERE organisation = ? AND id = ?").run(now.getTime(), organisation, document);
	}

	function* eraseBatch(organisation: OrganisationId, { ids, at }: Batch, expiresAt: number, now: Date): Program<void> {
		const written = yield* statement<Written>(writtenVersions).all(organisation, JSON.stringify(ids), at ?? expiresAt);
		if (written.length === 0) return;
		const erased = [...new Set(written.map(({ id }) => id))];
		const passages = yield* passagesOf(organisation, erased);
		for (const versions of Map.groupBy(written, ({ forgotten }) => forgotten).values()) {
			const [first] = versions;
			if (first !== undefined) yield* hideExtracted(organisation, first, Math.min(...versions.map(({ createdAt }) => createdAt)));
		}
		yield* removal.eraseAll(organisation, erased, now);
		for (const passage of passages) yield* takeOut(organisation, passage, now);
	}

	return {
		/** Ends up to `limit` undo periods. @returns how many. */
		sweepForgotten: durable(function* ({ now, limit }: { now: Date; limit: number }): Program<number> {
			const sql = "SELECT organisation, id, value, expires_at AS expiresAt FROM records WHERE kind = 'removal' AND expires_at <= ? LIMIT ?";
			const expired = yield* statement<{ organisation: OrganisationId; id: string; value: string; expiresAt: number }>(sql).all(now.getTime(), limit);
			for (const { organisation, id, value, expiresAt } of expired) {
				yield* eraseBatch(organisation, JSON.parse(value), expiresAt, now);
				yield* statement("DELETE FROM records WHERE organisation = ? AND kind = 'removal' AND id = ?").run(organisation, id);
			}
			return expired.length;
		}),
	};
}

/**
 * Ends the undo period of forgotten memories. What a client wrote is deleted for good: its own memories, with the text in their source
 * document, its corrections, and the reasons and metadata that it gave to what stays. What another document says too stays, hidden, as long
 * as the document, because by it a statement is recognised that must stay forgotten.
 */

import type { MemoryId, OrganisationId } from "cairn-memory";
import type { DocumentId } from "cairn-memory/stores";
import { deleteChunks } from "../documents/discarded.ts";
import { documentOperations } from "../documents/document-operations.ts";
import { durable, type Program, type SqlContext } from "../executor.ts";
import { memoryRemoval } from "./memory-removal.ts";
import { endedBatches, isForgottenSince } from "./undo-end.ts";

/** The record of memories that were forgotten together. */
interface Batch {
	readonly ids: readonly MemoryId[];
	/** When they were forgotten, as epoch milliseconds. Records of earlier versions lack it: what was restored and forgotten again cannot be told. */
	readonly at?: number;
}

/** The record of the batch that is erased next. */
interface Expired {
	readonly organisation: OrganisationId;
	readonly id: string;
	readonly value: string;
}

interface Written {
	readonly id: MemoryId;
	readonly createdAt: number;
	/** The memory that was forgotten: this one, or a later version. */
	readonly forgotten: MemoryId;
	/** 1 if a document says it that was not made for it, and no extracted version stays by which that is recognised. */
	readonly isSaid: number;
}

interface Passage {
	readonly document: DocumentId;
	readonly chunk: string;
	/** The chunk that the evidence names. Its document may have been cut into chunks anew since then. */
	readonly cited: string;
	readonly text: string;
}

/** Memories of one batch that are erased in one write, during which other writes wait. */
const memoriesPerWrite = 20;

/** A document that was made for memories of a client, unless it was changed since. */
const isMadeForMemories = "d.task_type = 'superrag' AND d.custom_id IS NULL AND d.written_by IS NULL AND d.revision = 1";

const isSaid = `EXISTS (SELECT 1 FROM memory_evidence e CROSS JOIN documents d ON d.organisation = e.organisation AND d.id = e.document
	WHERE e.organisation = ?1 AND e.memory = x.id AND NOT (e.ordinal = 0 AND ${isMadeForMemories})
	AND NOT EXISTS (SELECT 1 FROM memories y CROSS JOIN memory_evidence o ON o.organisation = y.organisation AND o.memory = y.id
		WHERE y.organisation = ?1 AND (y.id = coalesce(f.root, f.id) OR y.root = coalesce(f.root, f.id)) AND y.extractor IS NOT NULL AND o.document = e.document))`;

/** The versions of a memory that was forgotten by hand and not restored and forgotten again. */
const forgottenVersions = `FROM json_each(?2) j
	CROSS JOIN memories f ON f.organisation = ?1 AND f.id = j.value
	CROSS JOIN memories x ON x.organisation = ?1 AND (x.id = coalesce(f.root, f.id) OR x.root = coalesce(f.root, f.id)) AND x.version <= f.version
	WHERE f.is_forgotten = 1 AND (x.is_latest = 0 OR x.is_forgotten = 1)
	AND ${isForgottenSince("f.id", "?3")}`;

/** Those that a client wrote. */
const writtenVersions = `SELECT x.id, x.created_at AS createdAt, f.id AS forgotten, CASE WHEN ${isSaid} THEN 1 ELSE 0 END AS isSaid
	${forgottenVersions} AND x.extractor IS NULL`;

export function forgottenOperations(connection: SqlContext) {
	const { statement } = connection;
	const removal = memoryRemoval(connection);
	const { removeDocument } = documentOperations(connection);

	/** Hides the newest version that stays before those that are erased, in whose place a document would else say it again. */
	function* hideStaying(organisation: OrganisationId, { forgotten }: Written, firstWrittenAt: number, erased: string): Program<void> {
		const sql = `SELECT x.id FROM memories f CROSS JOIN memories x ON x.organisation = f.organisation
			AND (x.id = coalesce(f.root, f.id) OR x.root = coalesce(f.root, f.id)) AND x.version < f.version
			WHERE f.organisation = ? AND f.id = ? AND x.is_forgotten = 0 AND x.id NOT IN (SELECT value FROM json_each(?)) ORDER BY x.version DESC LIMIT 1`;
		const last = yield* statement<{ id: MemoryId }>(sql).get(organisation, forgotten, erased);
		if (last === null) return;
		const hide = `UPDATE memories SET is_forgotten = 1, updated_at = (SELECT updated_at FROM memories WHERE organisation = ?1 AND id = ?2)
			WHERE organisation = ?1 AND id = ?3`;
		yield* statement(hide).run(organisation, forgotten, last.id);
		// It had been replaced since then, and stays so for whoever asks about an earlier time.
		const absent = `INSERT INTO memory_absences (organisation, memory, kind, begins) VALUES (?1, ?2, 'forgotten', ?3), (?1, ?2, 'final', ?3) ON CONFLICT DO NOTHING`;
		yield* statement(absent).run(organisation, last.id, firstWrittenAt);
	}

	/** The passages that were made for these memories: each is the whole text of a first version. */
	function* passagesOf(organisation: OrganisationId, memories: string): Program<readonly Passage[]> {
		const sql = `SELECT DISTINCT e.document, c.id AS chunk, e.chunk AS cited, e.span_end AS end, c.text FROM json_each(?2) j
			CROSS JOIN memories m ON m.organisation = ?1 AND m.id = j.value AND m.version = 1
			CROSS JOIN memory_evidence e ON e.organisation = ?1 AND e.memory = m.id AND e.ordinal = 0 AND e.span_begin = 0
			CROSS JOIN documents d ON d.organisation = ?1 AND d.id = e.document
			CROSS JOIN chunks c ON c.organisation = ?1 AND c.document = e.document AND (c.id = e.chunk OR c.text = m.text) WHERE ${isMadeForMemories}`;
		// Spans count UTF-16 units, and SQL counts characters.
		return (yield* statement<Passage & { end: number }>(sql).all(organisation, memories)).filter(({ end, text }) => end === text.length);
	}

	/** Takes a passage out of its document, and removes the document with the last one. */
	function* takeOut(organisation: OrganisationId, { document, chunk, cited, text }: Passage, now: Date): Program<void> {
		const inUse = "SELECT 1 FROM memory_evidence WHERE organisation = ? AND document = ? AND chunk IN (?, ?) LIMIT 1";
		if ((yield* statement(inUse).get(organisation, document, chunk, cited)) !== null) return;
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
		const content = left.map((each) => each.text).join("\n");
		yield* statement("UPDATE document_texts SET content = ? WHERE organisation = ? AND document = ?").run(content, organisation, document);
		const found = yield* statement<{ title: string | null }>("SELECT title FROM documents WHERE organisation = ? AND id = ?").get(organisation, document);
		const title = found?.title ?? null;
		const keptTitle = title === null || isBeginning(title, text) ? null : title;
		yield* statement("UPDATE documents SET title = ?, updated_at = ? WHERE organisation = ? AND id = ?").run(keptTitle, now.getTime(), organisation, document);
	}

	/** What a client wrote of memories whose texts stay. */
	function* blank(organisation: OrganisationId, memories: string): Program<void> {
		const among = "IN (SELECT value FROM json_each(?))";
		const given = "(forget_reason IS NOT NULL OR metadata <> '{}')";
		yield* statement(`UPDATE memories SET forget_reason = NULL, metadata = '{}' WHERE organisation = ? AND id ${among} AND ${given}`).run(
			organisation,
			memories,
		);
		yield* statement(`DELETE FROM memory_metadata WHERE organisation = ? AND memory ${among}`).run(organisation, memories);
	}

	function* eraseMemories(organisation: OrganisationId, ids: readonly MemoryId[], at: number, now: Date): Program<void> {
		const all = yield* statement<Pick<Written, "id">>(`SELECT x.id ${forgottenVersions}`).all(organisation, JSON.stringify(ids), at);
		const versions = yield* statement<Written>(writtenVersions).all(organisation, JSON.stringify(ids), at);
		yield* blank(organisation, idsOf(all));
		if (versions.length === 0) return;
		const passages = yield* passagesOf(organisation, idsOf(versions));
		const said = versions.filter((each) => each.isSaid === 1);
		const erased = versions.filter((each) => each.isSaid === 0);
		for (const [first, ...others] of Map.groupBy(erased, ({ forgotten }) => forgotten).values())
			if (first !== undefined) yield* hideStaying(organisation, first, Math.min(first.createdAt, ...others.map(({ createdAt }) => createdAt)), idsOf(erased));
		yield* removal.eraseAll(organisation, [...new Set(erased.map(({ id }) => id))], now);
		const own = "DELETE FROM memory_evidence WHERE organisation = ? AND document = ? AND chunk = ? AND memory IN (SELECT value FROM json_each(?))";
		for (const { document, cited } of said.length === 0 ? [] : passages) yield* statement(own).run(organisation, document, cited, idsOf(said));
		for (const passage of passages) yield* takeOut(organisation, passage, now);
	}

	/** Those that are left cannot be restored any more, nor can those that were set aside with a document, which end when it comes back. */
	function* makeFinal(organisation: OrganisationId, ids: readonly MemoryId[], at: number, now: Date): Program<void> {
		const sql = `INSERT INTO memory_absences (organisation, memory, kind, begins) SELECT ?1, j.value, 'final', ?2 FROM json_each(?3) j
			WHERE ${isForgottenSince("j.value", "?4")} ON CONFLICT DO NOTHING`;
		yield* statement(sql).run(organisation, now.getTime(), JSON.stringify([...new Set(ids)]), at);
	}

	return {
		/** Ends the undo period of some memories of one batch. @returns whether there was any. */
		sweepForgotten: durable(function* ({ now }: { now: Date }): Program<boolean> {
			const sql = `SELECT r.organisation, r.id, r.value FROM records r WHERE ${endedBatches("?")} LIMIT 1`;
			const expired = yield* statement<Expired>(sql).get(now.getTime());
			if (expired === null) return false;
			const { organisation, id, value } = expired;
			const batch: Batch = JSON.parse(value);
			const left = batch.at === undefined ? [] : batch.ids.slice(memoriesPerWrite);
			if (batch.at !== undefined) {
				const ending = batch.ids.slice(0, memoriesPerWrite);
				yield* eraseMemories(organisation, ending, batch.at, now);
				yield* makeFinal(organisation, ending, batch.at, now);
			}
			const [write, ...changed] = left.length === 0 ? ["DELETE FROM records"] : ["UPDATE records SET value = ?", JSON.stringify({ ...batch, ids: left })];
			yield* statement(`${write} WHERE organisation = ? AND kind = 'removal' AND id = ?`).run(...changed, organisation, id);
			return true;
		}),
	};
}

function idsOf(versions: readonly Pick<Written, "id">[]): string {
	return JSON.stringify([...new Set(versions.map(({ id }) => id))]);
}

/** Whether a title is the beginning of a text, as it is given to documents that are made for memories. */
function isBeginning(title: string, text: string): boolean {
	return text.replaceAll(/\s+/g, " ").trim().startsWith(title.replace(/…$/, ""));
}

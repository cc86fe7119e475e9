/** Sets documents aside, restores them, and removes them for good when their time has passed. */

import { asId, type BlobName, type OrganisationId } from "cairn-memory";
import { type Document, type DocumentId, isFinished, type NewJob, type RemovalId, type RemovalStore } from "cairn-memory/stores";
import { containerOpener, undescriber } from "../containers.ts";
import { durable, type Program, type SqlContext, type SqlEngine } from "../executor.ts";
import { jobAdder } from "../jobs.ts";
import { memoryUndo, type TakenBack } from "../memories/memory-undo.ts";
import { documents, removedDocuments } from "../schema.ts";
import { columnList, inserter } from "../table-rows.ts";
import { attachmentRows } from "./attachments.ts";
import { hasOwner } from "./blob-owners.ts";
import { discard, discardAll } from "./discarded.ts";
import type { DocumentKey } from "./document-operations.ts";
import { type DocumentRow, documentOf, documentSideRows, selectShown } from "./document-rows.ts";

type DocumentColumns = typeof documents.$inferSelect;
type Removed = typeof removedDocuments.$inferSelect;

export interface RemovedKey extends DocumentKey {
	readonly removal: RemovalId;
}

interface ExpiredRow extends Pick<Removed, "removal" | "blob" | "memories"> {
	readonly organisation: OrganisationId;
	readonly document: DocumentId;
}

export interface EndedRemovals {
	/** How many documents. */
	readonly removed: number;
	/** Their original files that no other document has. */
	readonly blobs: readonly BlobName[];
}

export function removalOperations(connection: SqlContext) {
	const { statement } = connection;
	const insertDocument = inserter(connection, documents);
	const insertRemoved = inserter(connection, removedDocuments);
	const sideRows = documentSideRows(connection);
	const openContainers = containerOpener(connection);
	const undescribe = undescriber(connection);
	const addJob = jobAdder(connection);
	const memories = memoryUndo(connection);
	const attachments = attachmentRows(connection);

	/** Discards staged chunks: the job that staged them will not find its document. */
	function* discardUnpublished({ organisation, id }: DocumentKey, published: number | null): Program<void> {
		const sql = "SELECT DISTINCT edition FROM chunks WHERE organisation = ? AND document = ? AND edition IS DISTINCT FROM ?";
		for (const { edition } of yield* statement<{ edition: number }>(sql).all(organisation, id, published))
			yield* discard(connection, { organisation, id }, edition);
	}

	/**
	 * Inserts the document with the status of a new one and then sets its former status, so that there are events for both. One that was in
	 * progress gets a new revision, so that a job which still works on the former one can neither publish what it has staged since nor end it.
	 */
	function* insert(row: DocumentColumns, now: Date): Program<void> {
		const isDone = isFinished(documentOf({ ...row, contentText: null, foundText: null }).status);
		const fresh = { status: "queued", dreamingStatus: "dreaming", stagedRevision: null, stagedEdition: null, progress: null } as const;
		const revision = isDone ? row.revision : row.revision + 1;
		yield* insertDocument({ ...row, ...fresh, revision, failure: isDone ? row.failure : null, updatedAt: now.getTime() });
		const sql = "UPDATE documents SET status = ?, dreaming_status = ? WHERE organisation = ? AND id = ?";
		// No memories are extracted from a failed document, so it is not dreaming.
		const dreaming = row.status === "failed" ? "done" : row.dreamingStatus;
		yield* statement(sql).run(isDone ? row.status : fresh.status, dreaming, row.organisation, row.id);
	}

	function* takeOne(key: DocumentKey, removal: RemovalId, expiresAt: Date, now: Date): Program<boolean> {
		const { organisation, id } = key;
		const sql = `SELECT ${columnList(documents, "d")} FROM documents d WHERE d.organisation = ? AND d.id = ?`;
		const row = yield* statement<DocumentColumns>(sql).get(organisation, id);
		if (row === null) return false;
		yield* statement("UPDATE documents SET updated_at = ? WHERE organisation = ? AND id = ?").run(now.getTime(), organisation, id);
		yield* statement("DELETE FROM documents WHERE organisation = ? AND id = ?").run(organisation, id);
		yield* discardUnpublished(key, row.publishedEdition);
		const taken = yield* memories.takeBack(key, now);
		yield* sideRows.hide(key, JSON.parse(row.containerTags));
		yield* undescribe(organisation, JSON.parse(row.containerTags), now);
		yield* statement("DELETE FROM jobs WHERE organisation = ? AND task = 'ingest' AND subject = ? AND lease IS NULL").run(organisation, id);
		yield* insertRemoved({
			...{ organisation, removal, document: id, row: JSON.stringify(row), blob: row.blob },
			memories: JSON.stringify(taken),
			expiresAt: expiresAt.getTime(),
		});
		return true;
	}

	return {
		setAside: durable(function* ({ removal, expiresAt, now, ...key }: RemovedKey & { expiresAt: Date; now: Date }): Program<boolean> {
			for (const attachment of yield* attachments.below(key)) yield* takeOne(attachment, removal, expiresAt, now);
			return yield* takeOne(key, removal, expiresAt, now);
		}),

		bringBack: durable(function* ({ removal, job, now, ...key }: RemovedKey & { job: NewJob; now: Date }): Program<Document | null | "taken"> {
			const { organisation, id } = key;
			const named = "WHERE organisation = ? AND removal = ? AND document = ?";
			const removed = yield* statement<Pick<Removed, "row" | "memories">>(`SELECT row, memories FROM removed_documents ${named} AND expires_at > ?`).get(
				...[organisation, removal, id, now.getTime()],
			);
			if (removed === null) return null;
			const row: DocumentColumns = JSON.parse(removed.row);
			if ((yield* attachments.tagsBeside(organisation, row.customId)) === null) return null;
			const tags: readonly string[] = JSON.parse(row.containerTags);
			if (yield* sideRows.isTaken(key, row.customId, tags)) return "taken";
			yield* insert(row, now);
			yield* sideRows.setTags(key, [], tags, row.customId);
			yield* sideRows.setMetadata(key, JSON.parse(row.metadata));
			yield* openContainers(organisation, tags, now);
			const taken: TakenBack = JSON.parse(removed.memories);
			yield* memories.giveBack(organisation, taken, now);
			yield* memories.endAgain(key, taken, now);
			yield* addJob(job);
			yield* statement(`DELETE FROM removed_documents ${named}`).run(organisation, removal, id);
			const back = yield* statement<DocumentRow>(`${selectShown} WHERE d.organisation = ? AND d.id = ?`).get(organisation, id);
			return back === null ? null : documentOf(back);
		}),

		/** Ends the undo period; the documents are removed by the next sweep. */
		expireRemovals: durable(function* (organisation: OrganisationId): Program<void> {
			yield* statement("UPDATE removed_documents SET expires_at = 0 WHERE organisation = ?").run(organisation);
		}),

		/** Removes a few at a time, so that other writes can run between. */
		sweepRemovals: durable(function* ({ now, limit }: { now: Date; limit: number }): Program<EndedRemovals> {
			const sql = "SELECT organisation, removal, document, blob, memories FROM removed_documents WHERE expires_at <= ? LIMIT ?";
			const blobs: BlobName[] = [];
			const expired = yield* statement<ExpiredRow>(sql).all(now.getTime(), limit);
			for (const { organisation, removal, document, blob, memories: taken } of expired) {
				yield* discardAll(connection, { organisation, id: document });
				yield* sideRows.removeAll({ organisation, id: document }, []);
				yield* memories.erase(organisation, JSON.parse(taken));
				yield* statement("DELETE FROM removed_documents WHERE organisation = ? AND removal = ? AND document = ?").run(organisation, removal, document);
				if (blob !== null && !(yield* hasOwner(connection, organisation, blob))) blobs.push({ organisation, key: blob });
			}
			return { removed: expired.length, blobs };
		}),
	};
}

interface Row {
	readonly id: string;
	readonly customId: string | null;
	readonly containerTags: string;
}

export function removalStore(organisation: OrganisationId, { statement, read, write }: SqlEngine): RemovalStore {
	return {
		setAside: (id, removal, expiresAt, now) => write("setAside", { organisation, id, removal, expiresAt, now }),
		list: async (removal, now) => {
			const sql = `SELECT document AS id, row ->> 'customId' AS customId, row ->> 'containerTags' AS containerTags FROM removed_documents
				WHERE organisation = ? AND removal = ? AND expires_at > ? ORDER BY rowid DESC`;
			return (await read(statement<Row>(sql).all(organisation, removal, now.getTime()))).map(({ id, customId, containerTags }) => ({
				id: asId<DocumentId>(id),
				customId,
				containerTags: JSON.parse(containerTags),
			}));
		},
		bringBack: (removal, id, job, now) => write("bringBack", { organisation, removal, id, job, now }),
		expireAll: () => write("expireRemovals", organisation),
	};
}

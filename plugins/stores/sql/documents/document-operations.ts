/** Writes of the document store, except those of chunks. */

import type { OrganisationId, Progress } from "cairn-memory";
import {
	type Document,
	type DocumentId,
	type DocumentStatus,
	type DreamingStatus,
	type Failure,
	type Findings,
	givenTitle,
	type NewJob,
} from "cairn-memory/stores";
import { containerOpener, undescriber } from "../containers.ts";
import { documentStep, durable, type Program, type SqlContext, together } from "../executor.ts";
import { jobAdder } from "../jobs.ts";
import { memoryRemoval } from "../memories/memory-removal.ts";
import { documents } from "../schema.ts";
import { inserter } from "../table-rows.ts";
import { attachmentRows } from "./attachments.ts";
import { hasOwner } from "./blob-owners.ts";
import { discardAll } from "./discarded.ts";
import { changeDocument } from "./document-change.ts";
import { contentText, documentRow, documentSideRows, jsonOrNull } from "./document-rows.ts";
import { quotaGuard } from "./quota.ts";

/** Identifies a document. */
export interface DocumentKey {
	readonly organisation: OrganisationId;
	readonly id: DocumentId;
}

/** Identifies one revision of a document. A write for an earlier revision changes nothing. */
export interface RevisionKey extends DocumentKey {
	readonly revision: number;
}

/** Findings that are a column of the same name. */
const plainFindings = ["type", "title", "summary", "language"] as const;

const atRevision = "WHERE organisation = ? AND id = ? AND revision = ?";

export function documentOperations(connection: SqlContext) {
	const { statement } = connection;
	const insertDocument = inserter(connection, documents);
	const sideRows = documentSideRows(connection);
	const addJob = jobAdder(connection);
	const memories = memoryRemoval(connection);
	const attachments = attachmentRows(connection);
	const openContainers = containerOpener(connection);
	const undescribe = undescriber(connection);
	const quota = quotaGuard(connection);

	/** @returns whether the revision is still there. */
	function* update({ organisation, id, revision }: RevisionKey, set: string, ...values: readonly (string | number | null)[]): Program<boolean> {
		return (yield* statement(`UPDATE documents SET ${set} ${atRevision}`).run(...values, organisation, id, revision)).changes > 0;
	}

	/** The title in its metadata, which a client may have changed since the document was read; null for none. */
	function* titleOf({ organisation, id, revision }: RevisionKey): Program<string | null> {
		const row = yield* statement<{ metadata: string }>(`SELECT metadata FROM documents ${atRevision}`).get(organisation, id, revision);
		return row === null ? null : givenTitle(JSON.parse(row.metadata));
	}

	return {
		addDocument: durable(function* ({ document, job }: { document: Document; job: NewJob | null }): Program<boolean> {
			const { organisation, id, customId } = document;
			const beside = yield* attachments.tagsBeside(organisation, customId);
			if (beside === null) return false;
			const containerTags = beside ?? document.containerTags;
			if (yield* sideRows.isTaken({ organisation, id }, customId, containerTags)) return false;
			// An attachment belongs to what was accepted before, and a document without a job to an export.
			if (job !== null && beside === undefined) yield* quota.demandRoomFor(organisation, document.content);
			yield* together(
				insertDocument(documentRow({ ...document, containerTags })),
				sideRows.setTexts({ organisation, id }, contentText(document.content), document.findings.text),
				sideRows.setTags({ organisation, id }, [], containerTags, customId),
				openContainers(organisation, containerTags, document.createdAt),
				sideRows.addMetadata({ organisation, id }, document.metadata),
				...(job === null ? [] : [addJob(job)]),
			);
			return true;
		}),

		changeDocument: durable(changeDocument(connection)),

		/** Sets the status. The progress of the last stage is removed; if the document is done, its failure is too. */
		moveDocument: documentStep(function* (args: RevisionKey & { from: readonly DocumentStatus[]; to: DocumentStatus; now: Date }): Program<boolean> {
			const { organisation, id, revision, from, to, now } = args;
			const sql = `UPDATE documents SET status = ?1, updated_at = ?2, progress = NULL, failure = CASE ?1 WHEN 'done' THEN NULL ELSE failure END
				WHERE organisation = ?3 AND id = ?4 AND revision = ?5 AND status IN (SELECT value FROM json_each(?6))`;
			return (yield* statement(sql).run(to, now.getTime(), organisation, id, revision, JSON.stringify(from))).changes > 0;
		}),

		setProgress: documentStep(function* ({ progress, ...key }: RevisionKey & { progress: Progress | null }): Program<void> {
			yield* update(key, "progress = ?", jsonOrNull(progress));
		}),

		describeDocument: documentStep(function* ({ found, ...key }: RevisionKey & { found: Partial<Findings> }): Program<boolean> {
			const { text, warnings, about } = found;
			const columns: (readonly [string, string | null])[] = [];
			const given = found.title === undefined ? null : yield* titleOf(key);
			for (const name of plainFindings) {
				const value = name === "title" ? (given ?? found.title) : found[name];
				if (value !== undefined) columns.push([name, value]);
			}
			if (warnings !== undefined) columns.push(["remarks", JSON.stringify(warnings)]);
			if (about !== undefined) columns.push(["about", JSON.stringify(about)]);
			const set = ["revision = revision", ...columns.map(([name]) => `${name} = ?`)].join(", ");
			const isThere = yield* update(key, set, ...columns.map(([, value]) => value));
			if (isThere && text !== undefined) yield* sideRows.setFound(key, text);
			return isThere;
		}),

		failDocument: documentStep((args: RevisionKey & { failure: Failure; status: "queued" | "failed"; now: Date }): Program<boolean> => {
			const { failure, status, now, ...key } = args;
			// No memories are extracted from a document that has failed.
			const set = "failure = ?1, status = ?2, dreaming_status = CASE WHEN ?2 = 'failed' THEN 'done' ELSE dreaming_status END, progress = NULL, updated_at = ?3";
			return update(key, set, JSON.stringify(failure), status, now.getTime());
		}),

		setDreaming: documentStep((args: RevisionKey & { dreaming: DreamingStatus; now: Date; extractedBy: string | undefined }): Program<boolean> => {
			const { dreaming, now, extractedBy, ...key } = args;
			return update(key, "dreaming_status = ?, updated_at = ?, extracted_by = coalesce(?, extracted_by)", dreaming, now.getTime(), extractedBy ?? null);
		}),

		removeDocument: durable(function* ({ now, ...key }: DocumentKey & { now: Date }): Program<readonly string[] | null> {
			const inside: string[] = [];
			for (const attachment of yield* attachments.below(key)) inside.push(...((yield* removeOne(attachment, now)) ?? []));
			const own = yield* removeOne(key, now);
			return own === null ? null : [...inside, ...own];
		}),
	};

	function* removeOne({ organisation, id }: DocumentKey, now: Date): Program<readonly string[] | null> {
		// The trigger that records the deletion sees only the row, so the row must have the time of the deletion.
		yield* statement("UPDATE documents SET updated_at = ? WHERE organisation = ? AND id = ?").run(now.getTime(), organisation, id);
		const sql = "DELETE FROM documents WHERE organisation = ? AND id = ? RETURNING blob, container_tags AS tags";
		const removed = yield* statement<{ blob: string | null; tags: string }>(sql).get(organisation, id);
		if (removed === null) return null;
		yield* discardAll(connection, { organisation, id });
		yield* memories.takeBack({ organisation, id }, now);
		yield* sideRows.removeAll({ organisation, id }, JSON.parse(removed.tags));
		yield* undescribe(organisation, JSON.parse(removed.tags), now);
		yield* statement("DELETE FROM jobs WHERE organisation = ? AND task = 'ingest' AND subject = ? AND lease IS NULL").run(organisation, id);
		return removed.blob === null || (yield* hasOwner(connection, organisation, removed.blob)) ? [] : [removed.blob];
	}
}

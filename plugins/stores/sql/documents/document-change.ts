/** What a client changes about a document, in one write. */

import type { Document, DocumentChange, NewJob, TaskType } from "cairn-memory/stores";
import { containerOpener } from "../containers.ts";
import type { Program, SqlContext } from "../executor.ts";
import { jobAdder } from "../jobs.ts";
import { type Moving, memoryHomes } from "../memories/memory-homes.ts";
import { documents } from "../schema.ts";
import { setOf } from "../table-rows.ts";
import { attachmentRows } from "./attachments.ts";
import type { DocumentKey } from "./document-operations.ts";
import { contentColumns, contentText, type DocumentRow, documentOf, documentSideRows, jsonOrNull, selectShown } from "./document-rows.ts";
import { quotaGuard } from "./quota.ts";

export interface ChangeArgs extends DocumentKey {
	readonly change: DocumentChange;
	readonly now: Date;
	readonly job: NewJob | null;
	/** If given, a document at another revision is not changed. */
	readonly revision?: number | undefined;
}

export function changeDocument(connection: SqlContext): (args: ChangeArgs) => Program<Document | null | "taken"> {
	const { statement } = connection;
	const sideRows = documentSideRows(connection);
	const addJob = jobAdder(connection);
	const openContainers = containerOpener(connection);
	const attachments = attachmentRows(connection);
	const quota = quotaGuard(connection);
	const memories = memoryHomes(connection);

	function* find({ organisation, id }: DocumentKey): Program<Document | null> {
		const row = yield* statement<DocumentRow>(`${selectShown} WHERE d.organisation = ? AND d.id = ?`).get(organisation, id);
		return row === null ? null : documentOf(row);
	}

	/** The new containers, if it gets any. An attachment is always in those of its parent, even if the change names others. */
	function* tagsAfter(change: DocumentChange, { organisation, customId, containerTags }: Document): Program<readonly string[] | undefined> {
		const asked = change.mergesContainer === undefined ? change.containerTags : mergedTags(containerTags, change.mergesContainer);
		return asked === undefined ? undefined : ((yield* attachments.tagsBeside(organisation, customId)) ?? asked);
	}

	return function* ({ organisation, id, change: asked, now, job, revision }) {
		const key = { organisation, id };
		const before = yield* find(key);
		if (before === null || (revision !== undefined && before.revision !== revision)) return null;
		if (asked.mergesContainer !== undefined && !before.containerTags.includes(asked.mergesContainer.from)) return before;
		const newTags = yield* tagsAfter(asked, before);
		const change = newTags === undefined ? asked : { ...asked, containerTags: newTags };
		const { customId = before.customId, containerTags = before.containerTags } = change;
		const isElsewhere = newTags !== undefined;
		if ((isElsewhere || change.customId !== undefined) && (yield* sideRows.isTaken(key, customId, containerTags))) return "taken";
		if (change.content !== undefined && job !== null) yield* quota.demandRoomToReplace(key, before.content, change.content);
		const set = setOf(documents, { ...columnsOf(change, before), updatedAt: now.getTime() });
		yield* statement(`UPDATE documents SET ${set.sql} WHERE organisation = ? AND id = ?`).run(...set.params, organisation, id);
		if (change.content !== undefined) yield* setContent(key, contentText(change.content));
		if (change.metadata !== undefined) yield* sideRows.setMetadata(key, change.metadata);
		if (isElsewhere || change.customId !== undefined) yield* sideRows.setTags(key, before.containerTags, containerTags, customId);
		if (isElsewhere) {
			yield* openContainers(organisation, containerTags, now);
			const moving = { tags: containerTags, now, mergesContainer: change.mergesContainer !== undefined };
			for (const attachment of yield* attachments.below(key)) yield* moveAttachment(attachment, moving);
			yield* memories.follow(key, { ...moving, before: before.containerTags });
		}
		if (job !== null) yield* addJob(job);
		return yield* find(key);
	};

	function* moveAttachment(key: DocumentKey, moving: Omit<Moving, "before">): Program<void> {
		const { tags, now } = moving;
		const sql = "SELECT container_tags AS tags, custom_id AS customId FROM documents WHERE organisation = ? AND id = ?";
		const row = yield* statement<{ tags: string; customId: string | null }>(sql).get(key.organisation, key.id);
		const before: readonly string[] = row === null ? [] : JSON.parse(row.tags);
		const set = "UPDATE documents SET container_tags = ?, updated_at = ? WHERE organisation = ? AND id = ?";
		yield* statement(set).run(JSON.stringify(tags), now.getTime(), key.organisation, key.id);
		yield* sideRows.setTags(key, before, tags, row?.customId ?? null);
		yield* memories.follow(key, { ...moving, before });
	}

	/** Sets new content. The text extracted from the old content is removed; title and summary stay until there are new ones. */
	function* setContent({ organisation, id }: DocumentKey, text: string | null): Program<void> {
		yield* statement("UPDATE document_texts SET content = ?, found = NULL WHERE organisation = ? AND document = ?").run(text, organisation, id);
	}
}

function mergedTags(tags: readonly string[], { from, into }: NonNullable<DocumentChange["mergesContainer"]>): readonly string[] {
	return [into, ...tags.filter((tag) => tag !== from && tag !== into)];
}

function columnsOf(change: DocumentChange, before: Document): Partial<typeof documents.$inferInsert> {
	const { content, containerTags, metadata, neighbourFilter, mergesContainer: _mergesContainer, ...plain } = change;
	const taskType = change.taskType ?? before.taskType;
	return {
		...plain,
		...(containerTags === undefined ? {} : { containerTags: JSON.stringify(containerTags) }),
		...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
		...(neighbourFilter === undefined ? {} : { neighbourFilter: jsonOrNull(neighbourFilter) }),
		...(content === undefined
			? switched(taskType, before)
			: {
					...contentColumns(content),
					revision: before.revision + 1,
					status: "queued",
					// No memories are extracted from a document of this task type.
					dreamingStatus: taskType === "superrag" ? "done" : "dreaming",
					failure: null,
					progress: null,
				}),
	};
}

/** A document that is to be only searched waits for no memories any more; one that is to have some waits for them, unless it has failed. */
function switched(taskType: TaskType, before: Document): Partial<typeof documents.$inferInsert> {
	if (taskType === before.taskType) return {};
	if (taskType === "superrag") return { dreamingStatus: "done" };
	return before.status === "failed" ? {} : { dreamingStatus: "dreaming" };
}

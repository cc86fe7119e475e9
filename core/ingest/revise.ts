/** What a client changes about a document it has added. Only new content runs the stages again. */

import { fail } from "../errors/fail.ts";
import type { Content } from "../model/content.ts";
import type { Document, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { idsDecidedByHand, wasForgottenByHand } from "../model/memory.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import { attachmentsPrefix, connectionOf, parentOf } from "../model/reserved-custom-ids.ts";
import type { DocumentChange } from "../ports/document-store.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";
import { inheritedMetadata, pathBelow } from "./inheritance.ts";
import { isSameContent } from "./receive.ts";

/** Page size of reads. */
const batch = 200;

export interface Revision {
	readonly content?: Content;
	readonly customId?: string;
	readonly containerTags?: readonly string[];
	/** These keys replace those keys, other keys stay. */
	readonly metadata?: Metadata;
	readonly filepath?: string;
	readonly taskType?: TaskType;
	/** Counts from the next time on that its memories are extracted. */
	readonly neighbourFilter?: Filter;
	/** Id of the key that makes the change. */
	readonly writtenBy?: string;
}

export async function revise(document: Document, revision: Revision, tenant: TenantStore, storage: Storage, world: World): Promise<Document> {
	const { content, metadata, writtenBy = null, ...rest } = revision;
	const parent = parentOf(document.customId);
	if (parent !== null && (content !== undefined || revision.customId !== undefined || revision.containerTags !== undefined))
		throw fail("DOCUMENT_INSIDE", parent);
	const isNews = content !== undefined && (document.status === "failed" || !(await isSameContent(document, content, tenant)));
	const change: DocumentChange = {
		...rest,
		...(metadata === undefined ? {} : { metadata: mergeMetadata(document.metadata, metadata) }),
		...(isNews ? { content, writtenBy } : {}),
	};
	if (Object.keys(change).length === 0) return document;
	const isRenamed = change.customId !== undefined && change.customId !== document.customId;
	if (isRenamed && connectionOf(document.customId) !== null) throw fail("DOCUMENT_SYNCED");
	const changed = await tenant.documents.change(document.id, change, world.now(), isNews ? newJob("ingest", document.id, document.organisation, world) : null);
	if (changed === "taken") throw fail("CUSTOM_ID_TAKEN", revision.customId ?? document.customId ?? "");
	if (changed === null) throw fail("DOCUMENT_MISSING");
	if (!isNews && revision.taskType !== undefined && revision.taskType !== document.taskType) await switchTask(changed, tenant, storage, world);
	await reviseAttachments(changed, revision, tenant, storage, world);
	return changed;
}

/** Reads the same content again: after a failure, or with extractors that were not there before. One that is being read already is left alone. */
export async function reprocess({ id, organisation, status, writtenBy }: Document, { documents }: TenantStore, world: World): Promise<Document> {
	const whole = await documents.get(id);
	if (whole === null) throw fail("DOCUMENT_MISSING");
	if (status !== "done" && status !== "failed") return whole;
	const changed = await documents.change(id, { content: whole.content, writtenBy }, world.now(), newJob("ingest", id, organisation, world));
	if (changed === null || changed === "taken") throw fail("DOCUMENT_MISSING");
	return changed;
}

/** Its attachments get the same changes, except the title. Their containers have changed with it already. */
async function reviseAttachments(parent: Document, revision: Revision, tenant: TenantStore, storage: Storage, world: World): Promise<void> {
	const { metadata, filepath, taskType, neighbourFilter } = revision;
	// The job that would have extracted the memories of it or its attachments looks where they were.
	if (revision.containerTags !== undefined) await dream(parent, storage, world);
	if (metadata === undefined && filepath === undefined && taskType === undefined && neighbourFilter === undefined) return;
	for (let last: Document | null = null; ; ) {
		const page: readonly Document[] = await tenant.documents.byPrefix(attachmentsPrefix(parent), last, batch);
		for (const attachment of page) {
			const path = attachment.content.kind === "file" ? attachment.content.member?.path : undefined;
			const inherited: Revision = {
				...(metadata !== undefined && { metadata: inheritedMetadata(metadata) }),
				...(filepath !== undefined && path !== undefined && { filepath: pathBelow(filepath, path) ?? filepath }),
				...(taskType !== undefined && { taskType }),
				...(neighbourFilter !== undefined && { neighbourFilter }),
			};
			await revise(attachment, inherited, tenant, storage, world);
		}
		last = page.at(-1) ?? null;
		if (page.length < batch) return;
	}
}

/** A document that shall only be searched loses its memories, except those that must stay forgotten should they be extracted again. One that shall be remembered gets a job for them. */
async function switchTask(document: Document, tenant: TenantStore, storage: Storage, world: World): Promise<void> {
	const now = world.now();
	if (document.taskType === "superrag") {
		await tenant.documents.setDreaming(document.id, document.revision, "done", now);
		const known = await tenant.memories.ofDocument(document.id);
		const forgotten = idsDecidedByHand(known, wasForgottenByHand);
		const gone = known.map(({ id }) => id).filter((id) => !forgotten.has(id));
		await tenant.memories.reground(document.id, [], gone, now);
		return;
	}
	// A failed document is not read again before it gets new content, so nothing may wait for its memories.
	if (document.status === "failed") return;
	await tenant.documents.setDreaming(document.id, document.revision, "dreaming", now);
	await dream(document, storage, world);
}

async function dream({ containerTags, organisation }: Document, { jobs }: Storage, world: World): Promise<void> {
	for (const tag of containerTags) await jobs.add(newJob("remember", tag, organisation, world));
}

/** Changes a document on a client's request. Only new content is processed again. */

import { pagesByPrefix } from "../access/find-document.ts";
import { fail } from "../errors/fail.ts";
import type { Content } from "../model/content.ts";
import type { Document, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import { attachmentsPrefix, connectionOf, parentOf } from "../model/reserved-custom-ids.ts";
import type { DocumentChange } from "../ports/document-store.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";
import { givenTitle } from "../text/given-title.ts";
import { inheritedMetadata, pathBelow } from "./inheritance.ts";
import { isSameContent, withdrawMemories } from "./receive.ts";

/** Page size of reads. */
const batch = 200;

export interface Revision {
	readonly content?: Content;
	readonly customId?: string;
	readonly containerTags?: readonly string[];
	/** Keys that are given replace the old ones; other keys stay. */
	readonly metadata?: Metadata;
	readonly filepath?: string;
	readonly taskType?: TaskType;
	/** It takes effect the next time that memories are extracted from the document. */
	readonly neighbourFilter?: Filter;
	/** The id of the API key that makes the change. */
	readonly writtenBy?: string;
}

export async function revise(document: Document, revision: Revision, tenant: TenantStore, storage: Storage, world: World): Promise<Document> {
	const { content, metadata, writtenBy = null, ...rest } = revision;
	const parent = parentOf(document.customId);
	if (parent !== null && (content !== undefined || revision.customId !== undefined || revision.containerTags !== undefined))
		throw fail("DOCUMENT_INSIDE", parent);
	const isNewContent = content !== undefined && (document.status === "failed" || !(await isSameContent(document, content, tenant)));
	const change: DocumentChange = {
		...rest,
		...(metadata === undefined ? {} : metadataChange(document.metadata, metadata)),
		...(isNewContent ? { content, writtenBy } : {}),
	};
	if (Object.keys(change).length === 0) return document;
	const isRenamed = change.customId !== undefined && change.customId !== document.customId;
	if (isRenamed && connectionOf(document.customId) !== null) throw fail("DOCUMENT_SYNCED");
	const changed = await tenant.documents.change(
		document.id,
		change,
		world.now(),
		isNewContent ? newJob("ingest", document.id, document.organisation, world) : null,
	);
	if (changed === "taken") throw fail("CUSTOM_ID_TAKEN", revision.customId ?? document.customId ?? "");
	if (changed === null) throw fail("DOCUMENT_MISSING");
	if (revision.taskType === "superrag") await withdrawMemories(changed, tenant, world.now());
	else if (changed.taskType !== document.taskType && changed.status === "done") await addRememberJobs(changed, storage, world);
	await reviseAttachments(changed, revision, tenant, storage, world);
	return changed;
}

/** A title is shown at once; the chunks are found by it when the document is read again. */
function metadataChange(before: Metadata, given: Metadata): Pick<DocumentChange, "metadata" | "title"> {
	const title = givenTitle(given);
	return { metadata: mergeMetadata(before, given), ...(title === null ? {} : { title }) };
}

/**
 * Reads the same content again: after a failure, or with extractors that were not there before. One that is being read already, as after new
 * content of another client, is left alone.
 */
export async function reprocess({ id }: Pick<Document, "id">, { documents }: TenantStore, world: World): Promise<Document> {
	const whole = await documents.get(id);
	if (whole === null) throw fail("DOCUMENT_MISSING");
	const { content, writtenBy, organisation, status, revision } = whole;
	if (status !== "done" && status !== "failed") return whole;
	const changed = await documents.change(id, { content, writtenBy }, world.now(), newJob("ingest", id, organisation, world), revision);
	if (changed !== null && changed !== "taken") return changed;
	const newer = await documents.get(id);
	if (newer === null) throw fail("DOCUMENT_MISSING");
	return newer;
}

/** Its attachments get the same changes, except the title. Their containers have changed with it already. */
async function reviseAttachments(parent: Document, revision: Revision, tenant: TenantStore, storage: Storage, world: World): Promise<void> {
	const { metadata, filepath, taskType, neighbourFilter } = revision;
	// A job that waits to extract memories is for the old containers, so jobs for the new ones are added.
	if (revision.containerTags !== undefined) await addRememberJobs(parent, storage, world);
	if (metadata === undefined && filepath === undefined && taskType === undefined && neighbourFilter === undefined) return;
	for await (const page of pagesByPrefix(attachmentsPrefix(parent), batch, tenant.documents)) {
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
	}
}

async function addRememberJobs({ containerTags, organisation }: Document, { jobs }: Storage, world: World): Promise<void> {
	for (const tag of containerTags) await jobs.add(newJob("remember", tag, organisation, world));
}

/** What a client changes about a document it has added. Only other content makes the pipeline run again. */

import { connectionOf } from "../connections/synced-name.ts";
import { fail } from "../errors/fail.ts";
import type { Content } from "../model/content.ts";
import type { Document, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import type { DocumentChange } from "../ports/document-store.ts";
import type { OrganisationRooms, Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { isSameContent, newJob } from "./receive.ts";

export interface Revision {
	readonly content?: Content;
	readonly customId?: string;
	readonly containerTags?: readonly string[];
	/** These keys replace those keys, other keys stay. */
	readonly metadata?: Metadata;
	readonly filepath?: string;
	readonly taskType?: TaskType;
	/** Counts from the next time on that its memories are drawn. */
	readonly neighbourFilter?: Filter;
	/** Id of the key that makes the change. */
	readonly writtenBy?: string;
}

export async function revise(document: Document, revision: Revision, rooms: OrganisationRooms, storage: Storage, world: World): Promise<Document> {
	const { content, metadata, writtenBy = null, ...rest } = revision;
	const isNews = content !== undefined && (document.status === "failed" || !isSameContent(document.content, content));
	const change: DocumentChange = {
		...rest,
		...(metadata === undefined ? {} : { metadata: mergeMetadata(document.metadata, metadata) }),
		...(isNews ? { content, writtenBy } : {}),
	};
	if (Object.keys(change).length === 0) return document;
	const isRenamed = change.customId !== undefined && change.customId !== document.customId;
	if (isRenamed && connectionOf(document.customId) !== null) throw fail("DOCUMENT_SYNCED");
	const changed = await rooms.documents.change(document.id, change, world.now(), isNews ? newJob("ingest", document.id, document.organisation, world) : null);
	if (changed === "taken") throw fail("CUSTOM_ID_TAKEN", revision.customId ?? "");
	if (changed === null) throw fail("DOCUMENT_MISSING");
	// The job that would have drawn its memories looks where it was.
	if (revision.containerTags !== undefined && changed.dreamingStatus === "dreaming") await dream(changed, storage, world);
	if (!isNews && revision.taskType !== undefined && revision.taskType !== document.taskType) await switchTask(changed, rooms, storage, world);
	return changed;
}

/** A document that shall only be searched loses its memories; one that shall be remembered is read for them. */
async function switchTask(document: Document, rooms: OrganisationRooms, storage: Storage, world: World): Promise<void> {
	const now = world.now();
	if (document.taskType === "superrag") {
		await rooms.documents.setDreaming(document.id, document.revision, "done", now);
		await rooms.memories.retract(document.id, now);
		return;
	}
	await rooms.documents.setDreaming(document.id, document.revision, "dreaming", now);
	await dream(document, storage, world);
}

async function dream({ containerTags, organisation }: Document, { jobs }: Storage, world: World): Promise<void> {
	for (const tag of containerTags) await jobs.add(newJob("remember", tag, organisation, world));
}

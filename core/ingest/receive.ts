/**
 * Stores a new document and its job durably, before the client gets its response. If a document with the same `customId` exists in the
 * container, that document is changed instead.
 */

import { findByCustomId } from "../access/find-document.ts";
import { fail, ServiceError } from "../errors/fail.ts";
import { defaultContainerTag, hasSameTags } from "../model/container.ts";
import type { Content } from "../model/content.ts";
import type { Document, Dreaming, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type DocumentId, newId, type OrganisationId } from "../model/id.ts";
import { idsDecidedByHand, rootIdOf, wasForgottenByHand } from "../model/memory.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import { isReservedCustomId } from "../model/reserved-custom-ids.ts";
import type { DocumentChange } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";

export interface AddRequest {
	readonly content: Content;
	readonly customId: string | null;
	/**
	 * The containers of the document, in which an existing document with the `customId` is looked for. If the list is empty, it is looked for
	 * in all containers and stays in its own; a new document is put into the default container.
	 */
	readonly containerTags: readonly string[];
	/** Containers that are being merged into others: an existing document in one of them stays in its own, for the merge moves it with its memories. */
	readonly mergedTags?: readonly string[];
	readonly metadata: Metadata;
	readonly filepath: string | null;
	/** If null, an existing document keeps its own, and memories are extracted from a new one. */
	readonly taskType: TaskType | null;
	readonly dreaming: Dreaming;
	/** If absent, an existing document keeps its filter. */
	readonly neighbourFilter?: Filter;
	/** The id of the API key that sends it. */
	readonly writtenBy?: string;
	/** A description of who or what its containers are about. If absent, they keep theirs. */
	readonly entityContext?: string;
}

/** Another client may add or delete a document with the same `customId` between the look-up and the write. Both are then done again. */
const attemptsMax = 10;

export async function receive(
	{ entityContext, mergedTags = [], ...request }: AddRequest,
	organisation: OrganisationId,
	tenant: TenantStore,
	world: World,
): Promise<Document> {
	for (let attempt = 0; attempt < attemptsMax; attempt++) {
		const existing = await findExisting(request, tenant);
		const wanted = request.containerTags.length > 0 ? request.containerTags : (existing?.containerTags ?? [defaultContainerTag]);
		const stays = existing !== null && (hasSameTags(existing.containerTags, wanted) || existing.containerTags.some((tag) => mergedTags.includes(tag)));
		const containerTags = stays ? existing.containerTags : wanted;
		// The containers are described before the document exists, so that its extraction can use the description.
		if (entityContext !== undefined) await describeContainers(containerTags, entityContext, tenant, world);
		const document =
			existing === null
				? await addDocument({ ...request, containerTags }, organisation, tenant, world)
				: await updateExisting(existing, request, stays ? {} : { containerTags }, tenant, world);
		if (document !== null) return document;
	}
	throw fail("CUSTOM_ID_TAKEN", request.customId ?? "");
}

/**
 * Whether an error of `receive` proves that the document was not stored. Of a commit whose answer was lost nobody knows, so the bytes of its
 * file are left to the sweep, which asks the database.
 */
export function isNotStored(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError)) return false;
	return thrown.code === "STORAGE_FULL" || (!thrown.mayPass && thrown.kind !== "internal");
}

/** A customId that Cairn made identifies one document of the whole organisation, so it is looked for in all containers. */
async function findExisting({ customId, containerTags }: NewDocument, { documents }: TenantStore): Promise<Document | null> {
	return customId === null ? null : findByCustomId(customId, isReservedCustomId(customId) ? [] : containerTags, documents);
}

/** Most clients send the same description with every document, so it is written only if it differs. */
async function describeContainers(tags: readonly string[], entityContext: string, { containers }: TenantStore, world: World): Promise<void> {
	for (const tag of tags) {
		const known = await containers.get(tag);
		if (known?.entityContext !== entityContext) await containers.change(tag, { entityContext }, world.now());
	}
}

type NewDocument = Omit<AddRequest, "entityContext" | "mergedTags">;

async function addDocument(request: NewDocument, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document | null> {
	const now = world.now();
	const { taskType } = request;
	const document: Document = {
		...request,
		taskType: taskType ?? "memory",
		neighbourFilter: request.neighbourFilter ?? null,
		writtenBy: request.writtenBy ?? null,
		id: newId<DocumentId>(world.randomBytes, now),
		organisation,
		status: "queued",
		dreamingStatus: taskType === "superrag" ? "done" : "dreaming",
		revision: 1,
		publishedRevision: null,
		findings: { type: "text", title: null, summary: null, language: null, text: null, warnings: [], about: {} },
		failure: null,
		progress: null,
		createdAt: now,
		updatedAt: now,
	};
	return (await tenant.documents.add(document, newJob("ingest", document.id, organisation, world))) ? document : null;
}

/**
 * Changes an existing document. If the content is the same, it is processed again only if the last attempt failed or its task
 * is another.
 * @param moved its new containers. What stays where it is names none, since it may be moved at the same time.
 */
async function updateExisting(
	existing: Document,
	request: NewDocument,
	moved: Pick<DocumentChange, "containerTags">,
	tenant: TenantStore,
	world: World,
): Promise<Document | null> {
	const metadata = mergeMetadata(existing.metadata, request.metadata);
	const { filepath, dreaming, neighbourFilter = existing.neighbourFilter } = request;
	const taskType = request.taskType ?? existing.taskType;
	const isSwitched = taskType !== existing.taskType;
	const properties = { ...moved, metadata, filepath: filepath ?? existing.filepath, taskType, dreaming, neighbourFilter };
	const isToBeRead = existing.status === "failed" || isSwitched;
	const isNewContent = isToBeRead || !(await isSameContent(existing, request.content, tenant));
	const change = isNewContent ? { ...properties, content: request.content, writtenBy: request.writtenBy ?? null } : properties;
	const changed = await tenant.documents.change(
		existing.id,
		change,
		world.now(),
		isNewContent ? newJob("ingest", existing.id, existing.organisation, world) : null,
	);
	return changed === "taken" ? null : changed;
}

/**
 * Removes the memories of a document that is only searched from now on. Forgotten ones stay, so that they stay forgotten if memories are
 * extracted again, and so do those that a client wrote, with their corrections. It may be repeated.
 */
export async function withdrawMemories({ id }: Pick<Document, "id">, { memories, records }: TenantStore, now: Date): Promise<void> {
	const known = await memories.ofDocument(id);
	const forgotten = idsDecidedByHand(known, wasForgottenByHand);
	const written = new Set(known.filter(({ extractor, parent }) => extractor === null && parent === null).map((memory) => memory.id));
	const withdrawn = known.filter((memory) => !forgotten.has(memory.id) && !written.has(rootIdOf(memory)));
	if (withdrawn.length === 0) return;
	await records.remove("read-chunks", id);
	await memories.reground(
		id,
		[],
		withdrawn.map((memory) => memory.id),
		now,
	);
}

/** Whether the content is the same as that of the document. A text that was left out is loaded only if the other content is a text too. */
export async function isSameContent(existing: Document, b: Content, { documents }: Pick<TenantStore, "documents">): Promise<boolean> {
	const { content: a, id, isTextLeftOut } = existing;
	if (a.kind === "text" && b.kind === "text") {
		const storedContent = isTextLeftOut ? (await documents.get(id))?.content : a;
		return storedContent?.kind === "text" && storedContent.text === b.text;
	}
	if (a.kind === "address" && b.kind === "address") return a.url === b.url;
	return a.kind === "file" && b.kind === "file" && a.sha256 === b.sha256 && a.fileName === b.fileName;
}

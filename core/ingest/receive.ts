/**
 * Stores a new document and its job durably, before the client gets its response. If a document with the same `customId` exists in the
 * container, that document is changed instead.
 */

import { findByCustomId } from "../access/find-document.ts";
import { fail, ServiceError } from "../errors/fail.ts";
import { defaultContainerTag } from "../model/container.ts";
import type { Content } from "../model/content.ts";
import type { Document, Dreaming, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type DocumentId, newId, type OrganisationId } from "../model/id.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import { isReservedCustomId } from "../model/reserved-custom-ids.ts";
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
	readonly metadata: Metadata;
	readonly filepath: string | null;
	readonly taskType: TaskType;
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

export async function receive({ entityContext, ...request }: AddRequest, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document> {
	for (let attempt = 0; attempt < attemptsMax; attempt++) {
		const existing = await findExisting(request, tenant);
		const requestWithTags = {
			...request,
			containerTags: request.containerTags.length > 0 ? request.containerTags : (existing?.containerTags ?? [defaultContainerTag]),
		};
		// The containers are described before the document exists, so that its extraction can use the description.
		if (entityContext !== undefined) await describeContainers(requestWithTags.containerTags, entityContext, tenant, world);
		const document =
			existing === null ? await addDocument(requestWithTags, organisation, tenant, world) : await updateExisting(existing, requestWithTags, tenant, world);
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

type NewDocument = Omit<AddRequest, "entityContext">;

async function addDocument(request: NewDocument, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document | null> {
	const now = world.now();
	const document: Document = {
		...request,
		neighbourFilter: request.neighbourFilter ?? null,
		writtenBy: request.writtenBy ?? null,
		id: newId<DocumentId>(world.randomBytes, now),
		organisation,
		status: "queued",
		dreamingStatus: request.taskType === "superrag" ? "done" : "dreaming",
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

/** Changes an existing document. If the content is the same, it is processed again only if the last attempt failed. */
async function updateExisting(existing: Document, request: NewDocument, tenant: TenantStore, world: World): Promise<Document | null> {
	const metadata = mergeMetadata(existing.metadata, request.metadata);
	const { containerTags, filepath, taskType, dreaming, neighbourFilter = existing.neighbourFilter } = request;
	const properties = { metadata, containerTags, filepath: filepath ?? existing.filepath, taskType, dreaming, neighbourFilter };
	const isNewContent = existing.status === "failed" || !(await isSameContent(existing, request.content, tenant));
	const change = isNewContent ? { ...properties, content: request.content, writtenBy: request.writtenBy ?? null } : properties;
	const changed = await tenant.documents.change(
		existing.id,
		change,
		world.now(),
		isNewContent ? newJob("ingest", existing.id, existing.organisation, world) : null,
	);
	return changed === "taken" ? null : changed;
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

/** Content → document and job, durably, before the client is answered. Adding under a `customId` that its container knows changes that document. */

import { documentNamed } from "../access/find-document.ts";
import { fail } from "../errors/fail.ts";
import { defaultContainerTag } from "../model/container.ts";
import type { Content } from "../model/content.ts";
import type { Document, Dreaming, TaskType } from "../model/document.ts";
import type { Filter } from "../model/filter.ts";
import { type DocumentId, newId, type OrganisationId } from "../model/id.ts";
import { type Metadata, mergeMetadata } from "../model/metadata.ts";
import { isOwnCustomId } from "../model/own-custom-ids.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";

export interface AddRequest {
	readonly content: Content;
	readonly customId: string | null;
	/** A known document is looked for in these. None looks in all, leaves a known one where it is, and puts a new one into the default container. */
	readonly containerTags: readonly string[];
	readonly metadata: Metadata;
	readonly filepath: string | null;
	readonly taskType: TaskType;
	readonly dreaming: Dreaming;
	/** Absent leaves a known document's filter as it is. */
	readonly neighbourFilter?: Filter;
	/** Id of the key that hands it in. */
	readonly writtenBy?: string;
	/** The description of its containers that was sent with it. Absent leaves them as they are. */
	readonly entityContext?: string;
}

/** Another client may add or delete under the same `customId` between our look and our write; each such race is looked at anew. */
const looksMax = 10;

export async function receive({ entityContext, ...request }: AddRequest, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document> {
	for (let look = 0; look < looksMax; look++) {
		const known = await knownDocument(request, tenant);
		const placed = { ...request, containerTags: request.containerTags.length > 0 ? request.containerTags : (known?.containerTags ?? [defaultContainerTag]) };
		// Before the document exists, so that its extraction knows it.
		if (entityContext !== undefined) await describeContainers(placed.containerTags, entityContext, tenant, world);
		const document = known === null ? await addNew(placed, organisation, tenant, world) : await addAgain(known, placed, tenant, world);
		if (document !== null) return document;
	}
	throw fail("CUSTOM_ID_TAKEN", request.customId ?? "");
}

async function knownDocument({ customId, containerTags }: NewDocument, { documents }: TenantStore): Promise<Document | null> {
	return customId === null ? null : documentNamed(customId, isOwnCustomId(customId) ? [] : containerTags, documents);
}

/** Most clients say the same with every document: nothing is written for that. */
async function describeContainers(tags: readonly string[], entityContext: string, { containers }: TenantStore, world: World): Promise<void> {
	for (const tag of tags) {
		const known = await containers.get(tag);
		if (known?.entityContext !== entityContext) await containers.change(tag, { entityContext }, world.now());
	}
}

type NewDocument = Omit<AddRequest, "entityContext">;

async function addNew(request: NewDocument, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document | null> {
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

/** The same content again changes only metadata, unless the last attempt failed: then it is tried again. */
async function addAgain(known: Document, request: NewDocument, tenant: TenantStore, world: World): Promise<Document | null> {
	const metadata = mergeMetadata(known.metadata, request.metadata);
	const { containerTags, filepath, taskType, dreaming, neighbourFilter = known.neighbourFilter } = request;
	const beside = { metadata, containerTags, filepath: filepath ?? known.filepath, taskType, dreaming, neighbourFilter };
	const isNews = known.status === "failed" || !(await isSameContent(known, request.content, tenant));
	const change = isNews ? { ...beside, content: request.content, writtenBy: request.writtenBy ?? null } : beside;
	const changed = await tenant.documents.change(known.id, change, world.now(), isNews ? newJob("ingest", known.id, known.organisation, world) : null);
	return changed === "taken" ? null : changed;
}

/** A long text is read for it only where the other is one. */
export async function isSameContent(known: Document, b: Content, { documents }: Pick<TenantStore, "documents">): Promise<boolean> {
	const { content: a, id, isTextLeftOut } = known;
	if (a.kind === "text" && b.kind === "text") {
		const whole = isTextLeftOut ? (await documents.get(id))?.content : a;
		return whole?.kind === "text" && whole.text === b.text;
	}
	if (a.kind === "address" && b.kind === "address") return a.url === b.url;
	return a.kind === "file" && b.kind === "file" && a.sha256 === b.sha256 && a.fileName === b.fileName;
}

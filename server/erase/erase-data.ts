/** Deletes a container, or a document, for good: what rests on it goes too, and so does the time in which deletions could be undone. */

import { findDocument } from "../../core/access/find-document.ts";
import { removeContainer } from "../../core/containers/remove-container.ts";
import { fail } from "../../core/errors/fail.ts";
import { remove } from "../../core/ingest/remove.ts";
import type { Document } from "../../core/model/document.ts";
import type { DocumentId, OrganisationId } from "../../core/model/id.ts";
import type { Memory } from "../../core/model/memory.ts";
import { attachmentsPrefix, descendantsPrefix } from "../../core/model/reserved-custom-ids.ts";
import { type Scope, wholeOrganisation } from "../../core/model/scope.ts";
import { documentStatuses } from "../../core/model/status.ts";
import type { Parts } from "../../core/parts.ts";
import type { Page } from "../../core/ports/document-store.ts";
import type { RecordKind } from "../../core/ports/record-store.ts";
import type { TenantStore } from "../../core/ports/storage.ts";
import type { Traces } from "./traces.ts";

export interface Erased {
	readonly documents: number;
	readonly memories: number;
}

/** What is kept of requests and of a model's answers may hold its words. */
const repeatedWords: readonly RecordKind[] = ["idempotency", "model-answer"];
const atOnce = 200;

export interface Beginning {
	/** An earlier call with this name was broken off: then there may be nothing of it left. */
	readonly isBegun: boolean;
	/** Is called before the first deletion. */
	readonly begin: () => Promise<void>;
}

/** @throws ServiceError `COMMAND_INVALID` if the name names nothing, `CUSTOM_ID_AMBIGUOUS` if it names documents of several containers */
export async function eraseData(name: string, organisation: OrganisationId, parts: Parts, traces: Traces, { isBegun, begin }: Beginning): Promise<Erased> {
	const tenant = parts.storage.organisation(organisation);
	const container = await tenant.containers.get(name);
	const document = container === null ? await documentNamed(name, tenant) : null;
	if (container === null && document === null && !isBegun) throw fail("COMMAND_INVALID", `${name} names neither a container nor a document`);
	const erased = container === null ? await collectDocument(document, tenant, traces) : await collectContainer(name, tenant, traces);
	await begin();
	if (container !== null) {
		for (const text of [container.name, container.description, container.entityContext]) if (text !== null) traces.addText(text);
		await removeContainer(name, tenant, parts.world);
	}
	if (document !== null) await remove(document.id, tenant, parts.world);
	await tenant.removals.expireAll();
	for (const kind of repeatedWords) await removeRecords(kind, tenant, parts);
	// Rows of what could still be undone, originals that nothing points to, what events tell.
	await parts.storage.maintain(new AbortController().signal);
	return erased;
}

async function documentNamed(name: string, { documents }: TenantStore): Promise<Document | null> {
	const found = await findDocument(name, documents, false);
	return found && documents.get(found.id);
}

/** Documents that are in other containers too stay there. */
async function collectContainer(tag: string, tenant: TenantStore, traces: Traces): Promise<Erased> {
	const scope: Scope = { ...wholeOrganisation, containerTags: [tag], tagsMatch: "any" };
	let [documents, memories] = [0, 0];
	for await (const document of inPages(async (page) => (await tenant.documents.list(scope, documentStatuses, page, false)).documents)) {
		if (document.containerTags.some((other) => other !== tag)) continue;
		await collect(document.id, tenant, traces);
		documents += 1;
	}
	for await (const memory of inPages(async (page) => (await tenant.memories.list(scope, false, page)).memories)) {
		addMemory(memory, traces);
		memories += 1;
	}
	return { documents, memories };
}

async function collectDocument(document: Document | null, tenant: TenantStore, traces: Traces): Promise<Erased> {
	if (document === null) return { documents: 0, memories: 0 };
	const prefix = attachmentsPrefix(document);
	const inside = (await tenant.documents.byPrefix(document.customId?.startsWith("member/") ? prefix : descendantsPrefix(document.id), null, 10_000)).map(
		({ id }) => id,
	);
	const ids = [document.id, ...inside];
	for (const id of ids) await collect(id, tenant, traces);
	const memories = await tenant.memories.ofDocuments(ids);
	for (const memory of memories) addMemory(memory, traces);
	return { documents: ids.length, memories: memories.length };
}

async function* inPages<Row extends { readonly id: string; readonly createdAt: Date }>(read: (page: Page) => Promise<readonly Row[]>): AsyncGenerator<Row> {
	let page: Page = { offset: 0, limit: atOnce, sort: "createdAt", order: "asc" };
	for (;;) {
		const rows = await read(page);
		yield* rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < atOnce) return;
		page = { ...page, after: { at: last.createdAt, id: last.id } };
	}
}

async function collect(id: DocumentId, { documents, blobs }: TenantStore, traces: Traces): Promise<void> {
	const document = await documents.get(id);
	if (document === null) return;
	const { customId, content, metadata, filepath, findings } = document;
	addAll([customId, content, metadata, filepath, findings.title, findings.summary, findings.text, findings.about], traces);
	for (let start = 0; ; start += atOnce) {
		const chunks = await documents.chunksAt(new Map([[id, Array.from({ length: atOnce }, (_, i) => start + i)]]));
		addAll(
			chunks.flatMap(({ text, indexedText }) => (text === indexedText ? [text] : [text, indexedText])),
			traces,
		);
		if (chunks.length < atOnce) break;
	}
	const bytes = content.kind === "file" ? await blobs.get(content.blob) : null;
	if (bytes !== null) traces.addFile(bytes);
}

function addMemory({ text, indexedText, subject, metadata, forgetReason }: Memory, traces: Traces): void {
	addAll([text, indexedText, subject, metadata, forgetReason], traces);
}

/** Every text in it, names of metadata too. */
function addAll(value: unknown, traces: Traces): void {
	if (typeof value === "string") traces.addText(value);
	else if (Array.isArray(value)) for (const one of value) addAll(one, traces);
	else if (typeof value === "object" && value !== null) for (const [key, one] of Object.entries(value)) addAll([key, one], traces);
}

async function removeRecords(kind: RecordKind, { records }: TenantStore, { world }: Parts): Promise<void> {
	for (;;) {
		const page = await records.list(kind, null, atOnce, world.now());
		for (const { id } of page) await records.remove(kind, id);
		if (page.length < atOnce) return;
	}
}

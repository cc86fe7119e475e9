/** Deletes a container, a document or a memory of a client permanently, with everything that depends on it. Deletions that could be undone become final too. */

import { findDocument } from "../../core/access/find-document.ts";
import { removeContainer } from "../../core/containers/remove-container.ts";
import { fail } from "../../core/errors/fail.ts";
import { remove } from "../../core/ingest/remove.ts";
import type { Container } from "../../core/model/container.ts";
import type { Document } from "../../core/model/document.ts";
import { asId, type DocumentId, isId, type MemoryId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { Memory } from "../../core/model/memory.ts";
import { attachmentsPrefix, descendantsPrefix } from "../../core/model/reserved-custom-ids.ts";
import { inContainer } from "../../core/model/scope.ts";
import { documentStatuses } from "../../core/model/status.ts";
import type { Parts } from "../../core/parts.ts";
import type { Page } from "../../core/ports/document-store.ts";
import type { RecordKind } from "../../core/ports/record-store.ts";
import type { TenantStore } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import type { Traces } from "./traces.ts";
import { neededBlobs, removeUnneeded } from "./unneeded-blobs.ts";

export interface EraseCounts {
	readonly documents: number;
	readonly memories: number;
}

/** Stored responses of requests and of language models may contain words of the erased data, so all of them are removed. */
const recordKindsWithText: readonly RecordKind[] = ["idempotency", "model-answer"];
const pageSize = 200;

export interface ErasureStart {
	/** Whether an earlier erasure of this name was interrupted. Then the name may already be unknown. */
	readonly wasInterrupted: boolean;
	/** The blobs that were needed before it. */
	readonly blobs: readonly string[];
	/** Called before the first deletion. @param blobs what the same erasure has to know as `blobs` if it is interrupted */
	readonly begin: (blobs: readonly string[]) => Promise<void>;
}

/** @throws ServiceError `COMMAND_INVALID` if nothing has the name, `CUSTOM_ID_AMBIGUOUS` if documents of several containers have it */
export async function eraseData(
	name: string,
	organisation: OrganisationId,
	parts: Parts,
	traces: Traces,
	{ wasInterrupted, blobs: blobsBefore, begin }: ErasureStart,
): Promise<EraseCounts> {
	const tenant = parts.storage.organisation(organisation);
	const container = await tenant.containers.get(name);
	const document = container === null ? await findNamedDocument(name, tenant) : null;
	const memory = container === null && document === null ? await findWrittenMemory(name, tenant) : null;
	const isUnknown = container === null && document === null && memory === null;
	if (isUnknown && !wasInterrupted) throw fail("COMMAND_INVALID", `there is no container or document named ${name}, nor a memory with this id`);
	const counts = memory === null ? await addTraces(container, document, tenant, traces) : await addVersionTraces(memory, tenant, traces);
	const blobs = [...new Set([...blobsBefore, ...(await neededBlobs(parts.storage, organisation))])];
	if (blobs.length > 0 && !(await parts.storage.claimBlobs()))
		throw fail(
			"COMMAND_INVALID",
			"original files cannot be erased, because it is not certain that they are of this server alone: its log says why, and how to make them its own",
		);
	await begin(blobs);
	if (container !== null) {
		for (const text of [container.name, container.description, container.entityContext]) if (text !== null) traces.addText(text);
		await removeContainer(name, tenant, parts.world);
	}
	if (document !== null) await remove(document.id, tenant, parts.world);
	if (memory !== null) await forgetForGood(memory, tenant, parts.world);
	await tenant.removals.expireAll();
	for (const kind of recordKindsWithText) await removeRecords(kind, tenant, parts);
	// Maintenance removes the rows of deletions that could be undone, unused original files, and data in events.
	await parts.storage.maintain(new AbortController().signal);
	if (memory !== null) await demandGone(memory, tenant);
	await removeUnneeded(parts.storage, organisation, blobs);
	await parts.storage.outside?.scrub();
	return counts;
}

async function findNamedDocument(name: string, { documents }: TenantStore): Promise<Document | null> {
	const found = await findDocument(name, documents, false);
	return found && documents.get(found.id);
}

/** A memory that a client wrote. @throws ServiceError `COMMAND_INVALID` for one that was extracted: its document would say it again */
async function findWrittenMemory(name: string, { memories }: TenantStore): Promise<Memory | null> {
	const [memory] = isId(name) ? await memories.get([asId<MemoryId>(name)]) : [];
	if (memory === undefined) return null;
	if (memory.extractor === null) return memory;
	throw fail("COMMAND_INVALID", `the memory ${name} was extracted from the document ${memory.evidence[0]?.document}; erase that, or change what it says`);
}

/** As if its undo period was over, which the maintenance ends. */
async function forgetForGood({ id, containerTag }: Memory, { memories, records }: TenantStore, { now, randomBytes }: World): Promise<void> {
	const at = now();
	await records.put("removal", newId(randomBytes), { containerTag, ids: [id], at: at.getTime() }, { expected: null, expiresAt: at, now: at });
	// One that is forgotten already may still be restored, as seen from when it was forgotten, and one that has expired was forgotten then.
	await memories.forget([id], null, at);
	await memories.restore([id], at);
	await memories.forget([id], null, at);
}

/** @throws ServiceError `COMMAND_INVALID` if the memory stays hidden, because a document says it again */
async function demandGone({ id }: Memory, { memories }: TenantStore): Promise<void> {
	const [left] = await memories.get([id]);
	if (left === undefined) return;
	const documents = [...new Set(left.evidence.map(({ document }) => document))].join(", ");
	throw fail("COMMAND_INVALID", `the memory ${id} is forgotten and not erased, for it is also said by ${documents}; erase that, or change what it says`);
}

function addTraces(container: Container | null, document: Document | null, tenant: TenantStore, traces: Traces): Promise<EraseCounts> {
	return container === null ? addDocumentFamilyTraces(document, tenant, traces) : addContainerTraces(container.tag, tenant, traces);
}

/** What is erased with a memory that a client wrote: its earlier versions that a client wrote too. */
async function addVersionTraces(memory: Memory, { memories }: TenantStore, traces: Traces): Promise<EraseCounts> {
	let count = 0;
	for (let version: Memory | undefined = memory; version !== undefined; ) {
		if (version.extractor === null) {
			addMemoryTraces(version, traces);
			count += 1;
		}
		[version] = version.parent === null ? [] : await memories.get([version.parent]);
	}
	return { documents: 0, memories: count };
}

/** Adds the traces of all documents and memories of a container. Documents that are in other containers too are left out, since they remain. */
async function addContainerTraces(tag: string, tenant: TenantStore, traces: Traces): Promise<EraseCounts> {
	const scope = inContainer(tag);
	let [documents, memories] = [0, 0];
	for await (const document of allPages(async (page) => (await tenant.documents.list(scope, documentStatuses, page, false)).documents)) {
		if (document.containerTags.some((other) => other !== tag)) continue;
		await addDocumentTraces(document.id, tenant, traces);
		documents += 1;
	}
	for await (const memory of allPages(async (page) => (await tenant.memories.list(scope, false, page)).memories)) {
		addMemoryTraces(memory, traces);
		memories += 1;
	}
	return { documents, memories };
}

async function addDocumentFamilyTraces(document: Document | null, tenant: TenantStore, traces: Traces): Promise<EraseCounts> {
	if (document === null) return { documents: 0, memories: 0 };
	const prefix = attachmentsPrefix(document);
	const descendants = (await tenant.documents.byPrefix(document.customId?.startsWith("member/") ? prefix : descendantsPrefix(document.id), null, 10_000)).map(
		({ id }) => id,
	);
	const ids = [document.id, ...descendants];
	for (const id of ids) await addDocumentTraces(id, tenant, traces);
	const memories = await tenant.memories.ofDocuments(ids);
	for (const memory of memories) addMemoryTraces(memory, traces);
	return { documents: ids.length, memories: memories.length };
}

async function* allPages<Row extends { readonly id: string; readonly createdAt: Date }>(read: (page: Page) => Promise<readonly Row[]>): AsyncGenerator<Row> {
	let page: Page = { offset: 0, limit: pageSize, sort: "createdAt", order: "asc" };
	for (;;) {
		const rows = await read(page);
		yield* rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < pageSize) return;
		page = { ...page, after: { at: last.createdAt, id: last.id } };
	}
}

async function addDocumentTraces(id: DocumentId, { documents, blobs }: TenantStore, traces: Traces): Promise<void> {
	const document = await documents.get(id);
	if (document === null) return;
	const { customId, content, metadata, filepath, findings } = document;
	addStrings([customId, content, metadata, filepath, findings.title, findings.summary, findings.text, findings.about], traces);
	for (let start = 0; ; start += pageSize) {
		const chunks = await documents.chunksAt(new Map([[id, Array.from({ length: pageSize }, (_, i) => start + i)]]));
		addStrings(
			chunks.flatMap(({ text, indexedText }) => (text === indexedText ? [text] : [text, indexedText])),
			traces,
		);
		if (chunks.length < pageSize) break;
	}
	const bytes = content.kind === "file" ? await blobs.get(content.blob) : null;
	if (bytes !== null) traces.addFile(bytes);
}

function addMemoryTraces({ text, indexedText, subject, metadata, forgetReason }: Memory, traces: Traces): void {
	addStrings([text, indexedText, subject, metadata, forgetReason], traces);
}

/** Adds every string in a value, including the keys of objects. */
function addStrings(value: unknown, traces: Traces): void {
	if (typeof value === "string") traces.addText(value);
	else if (Array.isArray(value)) for (const entry of value) addStrings(entry, traces);
	else if (typeof value === "object" && value !== null) for (const [key, entry] of Object.entries(value)) addStrings([key, entry], traces);
}

async function removeRecords(kind: RecordKind, { records }: TenantStore, { world }: Parts): Promise<void> {
	for (;;) {
		const page = await records.list(kind, null, pageSize, world.now());
		for (const { id } of page) await records.remove(kind, id);
		if (page.length < pageSize) return;
	}
}

/** Reads a store as the lines of an export. Equal data gives lines in equal order. Only one page or one document is in memory at a time. */

import { pagesByPrefix } from "../../core/access/find-document.ts";
import { fail } from "../../core/errors/fail.ts";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import type { DocumentId } from "../../core/model/id.ts";
import type { Memory } from "../../core/model/memory.ts";
import { descendantsPrefix, parentOf } from "../../core/model/reserved-custom-ids.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import { documentStatuses, isFinished } from "../../core/model/status.ts";
import type { Page, Position } from "../../core/ports/document-store.ts";
import type { TenantStore } from "../../core/ports/storage.ts";
import { secretNames } from "../../core/settings/settings.ts";
import type { BodyLine } from "./lines.ts";

/** Pages are large, because reading a page counts all rows again. They do not contain the texts of documents. */
const documentsPerPage = 2_000;
const memoriesPerPage = 1_000;
const chunksPerPage = 200;
/** A multiple of three, so that only the last part of a file has padding in base64. */
const bytesPerPart = 3 * 256 * 1024;

export type ExportLines = AsyncGenerator<BodyLine>;

/** @param onProgress called with the number of documents and memories that are done, and of all */
export async function* readStore(tenant: TenantStore, now: Date, onProgress: (done: number, total: number) => void): ExportLines {
	const total = await countAll(tenant);
	let done = 0;
	const settings = (await tenant.records.list("settings", null, 1, now))[0];
	if (settings !== undefined) yield { type: "settings", value: withoutSecrets(settings.value) };
	for (const { container } of await tenant.containers.list()) yield asLine({ type: "container", ...container });
	for await (const id of documentIds(tenant)) {
		yield* documentLines(id, tenant);
		onProgress(++done, total);
	}
	for await (const memory of memoriesOf(tenant)) {
		yield asLine({ type: "memory", ...memory });
		onProgress(++done, total);
	}
	yield* edgesOf(tenant);
}

async function countAll({ documents, memories }: TenantStore): Promise<number> {
	const onePage: Page = { offset: 0, limit: 1, sort: "createdAt", order: "asc" };
	const [documentList, memoryList] = [
		await documents.list(wholeOrganisation, documentStatuses, onePage, false),
		await memories.list(wholeOrganisation, false, onePage),
	];
	return documentList.total + memoryList.total;
}

export function withoutSecrets(value: unknown): Extract<BodyLine, { type: "settings" }>["value"] {
	const secrets: ReadonlySet<string> = new Set(secretNames);
	return Object.fromEntries(Object.entries(value as Record<string, never>).filter(([name]) => !secrets.has(name)));
}

/** The ids of documents by age, each followed by its attachments and theirs, so that a parent always comes before its attachments. */
async function* documentIds({ documents }: TenantStore): AsyncGenerator<DocumentId> {
	const pages = allPages(documentsPerPage, async (page) => (await documents.list(wholeOrganisation, documentStatuses, page, false)).documents);
	for await (const { id, customId } of pages) {
		if (parentOf(customId) !== null) continue;
		yield id;
		yield* descendantIds(id, documents);
	}
}

async function* descendantIds(root: DocumentId, documents: TenantStore["documents"]): AsyncGenerator<DocumentId> {
	const descendants: { readonly id: DocumentId; readonly depth: number }[] = [];
	for await (const page of pagesByPrefix(descendantsPrefix(root), documentsPerPage, documents))
		descendants.push(...page.map(({ id, content }) => ({ id, depth: content.kind === "file" ? (content.member?.depth ?? 1) : 1 })));
	for (const { id } of descendants.toSorted((a, b) => a.depth - b.depth)) yield id;
}

async function* memoriesOf({ memories }: TenantStore): AsyncGenerator<Memory> {
	yield* allPages(memoriesPerPage, async (page) => (await memories.list(wholeOrganisation, false, page)).memories);
}

async function* allPages<Row extends { readonly id: string; readonly createdAt: Date }>(
	limit: number,
	read: (page: Page) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
	for (let after: Position | null = null; ; ) {
		const rows: readonly Row[] = await read({ offset: 0, limit, sort: "createdAt", order: "asc", ...(after === null ? {} : { after }) });
		yield* rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < limit) return;
		after = { at: last.createdAt, id: last.id };
	}
}

interface DocumentReads {
	readonly documents: Pick<TenantStore["documents"], "get" | "chunksAt">;
	readonly blobs: Pick<TenantStore["blobs"], "get">;
}

/** After this many reads a document that is changed again each time is taken as it was read. A database that is exported directly goes on changing. */
const readsMax = 10;

/** All of one state of the document. Nothing if it is gone. */
export async function* documentLines(id: DocumentId, store: DocumentReads): ExportLines {
	for (let reads = 1; ; reads++) {
		const document = await store.documents.get(id);
		if (document === null) return;
		const lines = await readLines(document, store);
		const now = await store.documents.get(id);
		if (now === null) return;
		const isOfOneMoment = isSame(document, now);
		if (lines === null && isOfOneMoment) throw fail("STORAGE_DAMAGED", `the original file of document ${id} is missing`);
		if (lines !== null && (isOfOneMoment || reads >= readsMax)) return yield* lines;
	}
}

/** @returns null if the original file is missing: the document may have been deleted or changed since it was read */
async function readLines(document: Document, { documents, blobs }: DocumentReads): Promise<BodyLine[] | null> {
	const { id, content } = document;
	const lines: BodyLine[] = [documentLine(document)];
	if (content.kind === "file") {
		const bytes = await blobs.get(content.blob);
		if (bytes === null) return null;
		lines.push(...fileLines(id, bytes));
	}
	if (!isPublished(document)) return lines;
	for (let start = 0; ; start += chunksPerPage) {
		const page = await documents.chunksAt(new Map([[id, Array.from({ length: chunksPerPage }, (_, i) => start + i)]]));
		lines.push(...page.map(chunkLine));
		if (page.length < chunksPerPage) return lines;
	}
}

function isSame(before: Document, after: Document): boolean {
	return before.updatedAt.getTime() === after.updatedAt.getTime() && before.revision === after.revision;
}

export function* fileLines(document: DocumentId, bytes: Uint8Array): Generator<BodyLine> {
	for (let part = 0; part * bytesPerPart < bytes.byteLength; part++)
		yield { type: "file", document, part, data: Buffer.from(bytes.subarray(part * bytesPerPart, (part + 1) * bytesPerPart)).toString("base64") };
}

async function* edgesOf(tenant: TenantStore): ExportLines {
	const pages = allPages(memoriesPerPage, async (page) => (await tenant.memories.list(wholeOrganisation, false, page)).memories);
	for await (const { id } of pages) {
		const edges = (await tenant.memories.edges([id])).filter(({ from }) => from === id);
		for (const { from, to, relation } of edges.toSorted((a, b) => (`${a.to} ${a.relation}` < `${b.to} ${b.relation}` ? -1 : 1)))
			yield { type: "edge", from, to, relation };
	}
}

/** Whether the chunks are exported. A document that is still being processed is exported without them and processed again after the import. */
function isPublished({ status, revision, publishedRevision }: Document): boolean {
	return isFinished(status) && publishedRevision === revision;
}

export function documentLine(document: Document): BodyLine {
	const { organisation: _, publishedRevision: __, progress: ___, isTextLeftOut: ____, findings, status, ...fields } = document;
	const { type: documentType, ...descendants } = findings;
	const statusFields = status === "done" || status === "failed" ? { status } : ({ status: "queued", dreamingStatus: "dreaming", failure: null } as const);
	return asLine({ type: "document", ...fields, ...descendants, documentType, ...statusFields, isPublished: isPublished(document) });
}

function chunkLine({ revision: _, indexedText, ...chunk }: Chunk): BodyLine {
	return asLine({ type: "chunk", ...chunk, ...(indexedText === chunk.text ? {} : { indexedText }) });
}

/** Types an object as a line without checking it: `writeExport` encodes it with the schema. */
export function asLine(line: object): BodyLine {
	return line as BodyLine;
}

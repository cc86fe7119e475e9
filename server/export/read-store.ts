/** A store → the lines of an export, in an order that depends on nothing but what is stored. One page or one document is in memory at a time. */

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

/** Every page counts all rows once more, so it is large; texts are not in it. */
const documentsPerPage = 2_000;
const memoriesPerPage = 1_000;
const chunksPerPage = 200;
/** Three bytes are four characters, so every part but the last is without padding. */
const bytesPerPart = 3 * 256 * 1024;

export type Lines = AsyncGenerator<BodyLine>;

/** @param tell is called with how many documents and memories are done, and how many there are */
export async function* readStore(tenant: TenantStore, now: Date, tell: (done: number, total: number) => void): Lines {
	const total = await sizeOf(tenant);
	let done = 0;
	const settings = (await tenant.records.list("settings", null, 1, now))[0];
	if (settings !== undefined) yield { type: "settings", value: withoutSecrets(settings.value) };
	for (const { container } of await tenant.containers.list()) yield asLine({ type: "container", ...container });
	for await (const id of outermostFirst(tenant)) {
		yield* documentLines(id, tenant);
		tell(++done, total);
	}
	for await (const memory of memoriesOf(tenant)) {
		yield asLine({ type: "memory", ...memory });
		tell(++done, total);
	}
	yield* edgesOf(tenant);
}

async function sizeOf({ documents, memories }: TenantStore): Promise<number> {
	const one: Page = { offset: 0, limit: 1, sort: "createdAt", order: "asc" };
	const [listed, remembered] = [await documents.list(wholeOrganisation, documentStatuses, one, false), await memories.list(wholeOrganisation, false, one)];
	return listed.total + remembered.total;
}

export function withoutSecrets(value: unknown): Extract<BodyLine, { type: "settings" }>["value"] {
	const secrets: ReadonlySet<string> = new Set(secretNames);
	return Object.fromEntries(Object.entries(value as Record<string, never>).filter(([name]) => !secrets.has(name)));
}

/** Documents by age, each followed by what is inside of it, the outer before the inner: so a parent is always there already. */
async function* outermostFirst({ documents }: TenantStore): AsyncGenerator<DocumentId> {
	const pages = inPages(documentsPerPage, async (page) => (await documents.list(wholeOrganisation, documentStatuses, page, false)).documents);
	for await (const { id, customId } of pages) {
		if (parentOf(customId) !== null) continue;
		yield id;
		yield* inside(id, documents);
	}
}

async function* inside(root: DocumentId, documents: TenantStore["documents"]): AsyncGenerator<DocumentId> {
	const found: { readonly id: DocumentId; readonly depth: number }[] = [];
	for await (const page of pagesByPrefix(descendantsPrefix(root), documentsPerPage, documents))
		found.push(...page.map(({ id, content }) => ({ id, depth: content.kind === "file" ? (content.member?.depth ?? 1) : 1 })));
	for (const { id } of found.toSorted((a, b) => a.depth - b.depth)) yield id;
}

async function* memoriesOf({ memories }: TenantStore): AsyncGenerator<Memory> {
	yield* inPages(memoriesPerPage, async (page) => (await memories.list(wholeOrganisation, false, page)).memories);
}

async function* inPages<Row extends { readonly id: string; readonly createdAt: Date }>(
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

export async function* documentLines(
	id: DocumentId,
	{ documents, blobs }: { readonly documents: TenantStore["documents"]; readonly blobs: Pick<TenantStore["blobs"], "get"> },
): Lines {
	const document = await documents.get(id);
	if (document === null) return;
	yield documentLine(document);
	if (document.content.kind === "file") yield* fileLines(id, await blobs.get(document.content.blob), document.content.blob);
	if (!isPublished(document)) return;
	for (let start = 0; ; start += chunksPerPage) {
		const page = await documents.chunksAt(new Map([[id, Array.from({ length: chunksPerPage }, (_, i) => start + i)]]));
		for (const chunk of page) yield chunkLine(chunk);
		if (page.length < chunksPerPage) return;
	}
}

export function* fileLines(document: DocumentId, bytes: Uint8Array | null, blob: string): Generator<BodyLine> {
	if (bytes === null) throw fail("STORAGE_DAMAGED", `the original file ${blob} of document ${document} is missing`);
	for (let part = 0; part * bytesPerPart < bytes.byteLength; part++)
		yield { type: "file", document, part, data: Buffer.from(bytes.subarray(part * bytesPerPart, (part + 1) * bytesPerPart)).toString("base64") };
}

async function* edgesOf(tenant: TenantStore): Lines {
	const pages = inPages(memoriesPerPage, async (page) => (await tenant.memories.list(wholeOrganisation, false, page)).memories);
	for await (const { id } of pages) {
		const edges = (await tenant.memories.edges([id])).filter(({ from }) => from === id);
		for (const { from, to, relation } of edges.toSorted((a, b) => (`${a.to} ${a.relation}` < `${b.to} ${b.relation}` ? -1 : 1)))
			yield { type: "edge", from, to, relation };
	}
}

/** What is on its way is read anew where it arrives, so nothing that is half read is written. */
function isPublished({ status, revision, publishedRevision }: Document): boolean {
	return isFinished(status) && publishedRevision === revision;
}

export function documentLine(document: Document): BodyLine {
	const { organisation: _, publishedRevision: __, progress: ___, isTextLeftOut: ____, findings, status, ...kept } = document;
	const { type: documentType, ...found } = findings;
	const stage = status === "done" || status === "failed" ? { status } : ({ status: "queued", dreamingStatus: "dreaming", failure: null } as const);
	return asLine({ type: "document", ...kept, ...found, documentType, ...stage, isPublished: isPublished(document) });
}

function chunkLine({ revision: _, indexedText, ...chunk }: Chunk): BodyLine {
	return asLine({ type: "chunk", ...chunk, ...(indexedText === chunk.text ? {} : { indexedText }) });
}

/** What is written is held to the schema of its line. */
export function asLine(line: object): BodyLine {
	return line as BodyLine;
}

/** Imports one document with its original file and chunks. It is marked until it is complete, so that a repeated import finds incomplete ones. */

import { fail } from "../../core/errors/fail.ts";
import { createStep } from "../../core/language/step.ts";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { newJob } from "../../core/runtime/new-job.ts";
import type { ImportTarget } from "./import-lines.ts";
import type { BodyLine, DocumentLine } from "./lines.ts";
import type { Peekable } from "./peekable.ts";

export type ImportOutcome = "imported" | "known" | "refused";

const chunksPerBatch = 256;
/**
 * The mark of an incomplete document: a progress in a unit that no stage of the ingest pipeline uses. A server that starts before the
 * import is repeated processes the document itself, which replaces the mark.
 */
const incompleteProgress = { done: 0, total: 1, unit: "import" } as const;

export async function importDocument(line: DocumentLine, reader: Peekable<BodyLine>, target: ImportTarget): Promise<ImportOutcome> {
	const { parts, organisation } = target;
	const { documents } = parts.storage.organisation(organisation);
	await reader.take();
	const [existing] = await documents.getMany([line.id], false);
	if (existing !== undefined && existing.progress?.unit !== incompleteProgress.unit) return skipDocumentLines(reader, "known");
	if (existing === undefined && (await isBlobInUse(line, target))) return skipDocumentLines(reader, "refused");
	await importFile(line, reader, target);
	const job = line.status === "queued" ? newJob("ingest", line.id, organisation, parts.world) : null;
	if (existing === undefined && !(await documents.add(toIncompleteDocument(line, organisation), job))) {
		if (line.content.kind === "file") await parts.storage.organisation(organisation).blobs.remove(line.content.blob);
		return skipDocumentLines(reader, "refused");
	}
	if (line.isPublished && existing?.publishedRevision !== line.revision) await importChunks(line, reader, target);
	await skipDocumentLines(reader, "known");
	await finish(line, target);
	return "imported";
}

async function skipDocumentLines(reader: Peekable<BodyLine>, outcome: ImportOutcome): Promise<ImportOutcome> {
	for (let line = await reader.peek(); line?.type === "file" || line?.type === "chunk"; line = await reader.peek()) await reader.take();
	return outcome;
}

/** Whether the original file has the key of a file that a document here uses. */
async function isBlobInUse({ content }: DocumentLine, { parts, organisation }: ImportTarget): Promise<boolean> {
	return content.kind === "file" && (await parts.storage.blobsNeeded(organisation, [content.blob])).has(content.blob);
}

async function importFile({ id, content }: DocumentLine, reader: Peekable<BodyLine>, { parts, organisation }: ImportTarget): Promise<void> {
	if (content.kind !== "file") return;
	const { blobs } = parts.storage.organisation(organisation);
	const stored = await blobs.put(content.blob, fileParts(reader), content.byteLength);
	if (stored.sha256 === content.sha256) return;
	await blobs.remove(content.blob);
	throw fail("EXPORT_INVALID", `the file of document ${id} does not match its checksum`);
}

async function* fileParts(reader: Peekable<BodyLine>): AsyncGenerator<Uint8Array> {
	for (let line = await reader.peek(); line?.type === "file"; line = await reader.peek()) {
		yield Buffer.from(line.data, "base64");
		await reader.take();
	}
}

async function importChunks({ id, revision, updatedAt }: DocumentLine, reader: Peekable<BodyLine>, { parts, organisation }: ImportTarget): Promise<void> {
	const { documents } = parts.storage.organisation(organisation);
	const { embedder, world } = parts;
	const step = createStep(world, new AbortController().signal);
	for (let batch = await nextChunks(reader, revision); batch.length > 0; batch = await nextChunks(reader, revision)) {
		const texts = batch.map(({ indexedText }) => indexedText);
		const vectors = await embedTexts(texts, embedder, "document", step);
		const embedded = batch.flatMap((chunk, i) => {
			const vector = vectors[i];
			return vector === undefined ? [] : [{ chunk, vector }];
		});
		await documents.stage(id, revision, embedder.space, embedded);
	}
	await documents.publish(id, revision, updatedAt);
}

async function nextChunks(reader: Peekable<BodyLine>, revision: number): Promise<readonly Chunk[]> {
	const chunks: Chunk[] = [];
	for (let line = await reader.peek(); line?.type === "chunk" && chunks.length < chunksPerBatch; line = await reader.peek()) {
		const { type: _, indexedText = line.text, ...chunk } = line;
		chunks.push({ ...chunk, indexedText, revision });
		await reader.take();
	}
	return chunks;
}

function toIncompleteDocument(line: DocumentLine, organisation: ImportTarget["organisation"]): Document {
	const { type: _, isPublished: __, title, text, documentType, summary, language, about, warnings, status, ...document } = line;
	return {
		...document,
		organisation,
		status: status === "queued" ? status : "indexing",
		publishedRevision: null,
		findings: { type: documentType, title, summary, language, text, about, warnings },
		progress: status === "queued" ? null : incompleteProgress,
	};
}

/** Gives the document its final status, which removes the mark. */
async function finish({ id, revision, status, failure, updatedAt }: DocumentLine, { parts, organisation }: ImportTarget): Promise<void> {
	const { documents } = parts.storage.organisation(organisation);
	if (status === "done") await documents.move(id, revision, ["indexing"], "done", updatedAt);
	if (status === "failed" && failure !== null) await documents.fail(id, revision, failure, "failed", updatedAt);
}

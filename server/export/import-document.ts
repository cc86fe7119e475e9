/** One document of an export with its original file and its chunks. Until it is whole it has a mark, so that a killed import finds it. */

import { fail } from "../../core/errors/fail.ts";
import { createStep } from "../../core/language/step.ts";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { newJob } from "../../core/runtime/new-job.ts";
import type { Target } from "./import-lines.ts";
import type { BodyLine, DocumentLine } from "./lines.ts";
import type { Peeking } from "./peeking.ts";

export type Outcome = "imported" | "known" | "refused";

const chunksAtOnce = 256;
/** No stage of the pipeline counts in this unit. A server that is started in between reads the document itself, which takes the mark away. */
const mark = { done: 0, total: 1, unit: "import" } as const;

export async function importDocument(line: DocumentLine, reader: Peeking<BodyLine>, target: Target): Promise<Outcome> {
	const { parts, organisation } = target;
	const { documents } = parts.storage.organisation(organisation);
	await reader.take();
	const [known] = await documents.getMany([line.id], false);
	if (known !== undefined && known.progress?.unit !== mark.unit) return passOver(reader, "known");
	if (known === undefined && (await isTaken(line, target))) return passOver(reader, "refused");
	await importFile(line, reader, target);
	const job = line.status === "queued" ? newJob("ingest", line.id, organisation, parts.world) : null;
	if (known === undefined && !(await documents.add(begun(line, organisation), job))) {
		if (line.content.kind === "file") await parts.storage.organisation(organisation).blobs.remove(line.content.blob);
		return passOver(reader, "refused");
	}
	if (line.isPublished && known?.publishedRevision !== line.revision) await importChunks(line, reader, target);
	await passOver(reader, "known");
	await end(line, target);
	return "imported";
}

async function passOver(reader: Peeking<BodyLine>, outcome: Outcome): Promise<Outcome> {
	for (let line = await reader.peek(); line?.type === "file" || line?.type === "chunk"; line = await reader.peek()) await reader.take();
	return outcome;
}

/** Whether its original would take the place of another document's. */
async function isTaken({ content }: DocumentLine, { parts, organisation }: Target): Promise<boolean> {
	return content.kind === "file" && (await parts.storage.blobsNeeded(organisation, [content.blob])).has(content.blob);
}

async function importFile({ id, content }: DocumentLine, reader: Peeking<BodyLine>, { parts, organisation }: Target): Promise<void> {
	if (content.kind !== "file") return;
	const { blobs } = parts.storage.organisation(organisation);
	const put = await blobs.put(content.blob, partsOf(reader), content.byteLength);
	if (put.sha256 === content.sha256) return;
	await blobs.remove(content.blob);
	throw fail("EXPORT_INVALID", `the file of document ${id} is not what its checksum says`);
}

async function* partsOf(reader: Peeking<BodyLine>): AsyncGenerator<Uint8Array> {
	for (let line = await reader.peek(); line?.type === "file"; line = await reader.peek()) {
		yield Buffer.from(line.data, "base64");
		await reader.take();
	}
}

async function importChunks({ id, revision, updatedAt }: DocumentLine, reader: Peeking<BodyLine>, { parts, organisation }: Target): Promise<void> {
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

async function nextChunks(reader: Peeking<BodyLine>, revision: number): Promise<readonly Chunk[]> {
	const chunks: Chunk[] = [];
	for (let line = await reader.peek(); line?.type === "chunk" && chunks.length < chunksAtOnce; line = await reader.peek()) {
		const { type: _, indexedText = line.text, ...chunk } = line;
		chunks.push({ ...chunk, indexedText, revision });
		await reader.take();
	}
	return chunks;
}

function begun(line: DocumentLine, organisation: Target["organisation"]): Document {
	const { type: _, isPublished: __, title, text, documentType, summary, language, about, warnings, status, ...document } = line;
	return {
		...document,
		organisation,
		status: status === "queued" ? status : "indexing",
		publishedRevision: null,
		findings: { type: documentType, title, summary, language, text, about, warnings },
		progress: status === "queued" ? null : mark,
	};
}

/** What takes the mark away comes last. */
async function end({ id, revision, status, failure, updatedAt }: DocumentLine, { parts, organisation }: Target): Promise<void> {
	const { documents } = parts.storage.organisation(organisation);
	if (status === "done") await documents.move(id, revision, ["indexing"], "done", updatedAt);
	if (status === "failed" && failure !== null) await documents.fail(id, revision, failure, "failed", updatedAt);
}

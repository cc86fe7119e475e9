/**
 * Stages three and four. Chunks are embedded in batches and staged with their vectors, which no search sees, so that no search finds half
 * a document. Then the staged chunks are published.
 */

import { fail } from "../errors/fail.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { EmbeddedChunk } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts, type Turn } from "../runtime/embed-texts.ts";
import { describe } from "./describe.ts";
import { storedExtractionKey } from "./extract.ts";
import type { ChunkedDocument, EmbeddedDocument, IndexedDocument } from "./stage-results.ts";

/** How many chunks are embedded and written together: few enough to use little memory and to let other writers in between. */
const chunksPerSlice = 512;

/**
 * Embeds and stages the chunks. One slice is written while the next is embedded; publishing waits for the last one. Texts that are in the
 * published revision keep their vectors, so that only the new part of a growing conversation is embedded.
 */
export async function embed(
	chunked: ChunkedDocument,
	embedder: Embedder,
	tenant: Pick<TenantStore, "documents" | "vectors">,
	step: Step,
	turn?: Turn,
): Promise<EmbeddedDocument> {
	const { document, chunks } = chunked;
	const findPublished = document.publishedRevision === null ? null : await publishedVectors(document, embedder.space, tenant);
	let staged = Promise.resolve(true);
	for (let start = 0; start < chunks.length; start += chunksPerSlice) {
		const slice = chunks.slice(start, start + chunksPerSlice);
		const texts = slice.map(({ indexedText }) => indexedText);
		const vectorByText = (await findPublished?.(texts)) ?? new Map<string, Vector>();
		const newTexts = [...new Set(texts)].filter((text) => !vectorByText.has(text));
		const newVectors = await embedTexts(newTexts, embedder, "document", sliceStep(step, start + slice.length - newTexts.length, chunks.length), turn);
		for (const [i, vector] of newVectors.entries()) vectorByText.set(newTexts[i] ?? "", vector);
		// If the document was changed or deleted in the meantime, the rest is not embedded.
		if (!(await staged)) throw fail("DOCUMENT_SUPERSEDED", document.id);
		const vectors = texts.flatMap((text) => vectorByText.get(text) ?? []);
		staged = tenant.documents.stage(document.id, document.revision, embedder.space, withVectors(slice, vectors));
		staged.catch(() => undefined); // prevents an unhandled rejection; the promise is awaited in the next round or when publishing
		if (chunks.length > chunksPerSlice) step.progress({ done: start + slice.length, total: chunks.length, unit: "chunk" });
	}
	return { ...chunked, staged };
}

/** @returns a function that finds the vectors of texts in the published revision. It finds none if the revision has no vectors in the space. */
async function publishedVectors(
	{ id }: Document,
	space: EmbeddingSpace,
	{ documents, vectors }: Pick<TenantStore, "documents" | "vectors">,
): Promise<(texts: readonly string[]) => Promise<Map<string, Vector>>> {
	const chunkOf = new Map((await documents.chunksOf(id)).map((chunk) => [chunk.indexedText, chunk.id]));
	return async (texts) => {
		const ids = new Map(
			texts.flatMap((text) => {
				const chunk = chunkOf.get(text);
				return chunk === undefined ? [] : [[text, chunk] as const];
			}),
		);
		const found = await vectors(space).chunkVectors([...ids.values()]);
		return new Map(
			[...ids].flatMap(([text, chunk]) => {
				const vector = found.get(chunk);
				return vector === undefined ? [] : [[text, vector] as const];
			}),
		);
	};
}

/** The step for one slice, whose progress is reported as progress of all chunks. */
function sliceStep(step: Step, before: number, total: number): Step {
	return { ...step, progress: ({ done, unit }) => step.progress({ done: before + done, total, unit }) };
}

/** Pairs each chunk with its vector. */
export function withVectors(chunks: readonly Chunk[], vectors: readonly Vector[]): readonly EmbeddedChunk[] {
	return chunks.flatMap((chunk, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ chunk, vector }];
	});
}

export async function indexChunks({ staged, ...chunked }: EmbeddedDocument, tenant: TenantStore, world: World): Promise<IndexedDocument> {
	const { document } = chunked;
	const { id, revision } = document;
	const findings = describe(chunked);
	// Both are written concurrently, so that they share one commit.
	const writes = await Promise.all([staged, tenant.documents.describe(id, revision, findings)]);
	const publishedAt = world.now();
	// If a write found its revision gone, the document was changed or deleted in the meantime, and this run stops.
	if (writes.includes(false) || !(await tenant.documents.publish(id, revision, publishedAt))) throw fail("DOCUMENT_SUPERSEDED", id);
	if (document.content.kind !== "text") await tenant.blobs.remove(storedExtractionKey(document));
	return { ...chunked, document: { ...document, findings: { ...document.findings, ...findings } }, publishedAt };
}

/** Stages three and four: chunks are embedded in batches and staged with their vectors, so that no search sees half a document; then what is staged is published. */

import { fail } from "../errors/fail.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Vector } from "../model/vector.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { EmbeddedChunk } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts, type Turn } from "../runtime/embed-texts.ts";
import { describe } from "./describe.ts";
import { keptExtractionKey } from "./extract.ts";
import type { Chunked, Embedded, Indexed } from "./hand-offs.ts";

/** Embedded and written in one go: few enough that their vectors are nothing beside the text, and that other writers get their turn. */
const chunksPerSlice = 512;

/** One slice is written while the next is embedded; publishing waits for the last. */
export async function embed(chunked: Chunked, embedder: Embedder, { documents }: Pick<TenantStore, "documents">, step: Step, turn?: Turn): Promise<Embedded> {
	const { document, chunks } = chunked;
	let staged = Promise.resolve(true);
	for (let start = 0; start < chunks.length; start += chunksPerSlice) {
		const slice = chunks.slice(start, start + chunksPerSlice);
		const texts = slice.map(({ indexedText }) => indexedText);
		const vectors = await embedTexts(texts, embedder, "document", within(step, start, chunks.length), turn);
		// The document was changed or deleted meanwhile: the rest is not embedded.
		if (!(await staged)) throw fail("DOCUMENT_SUPERSEDED", document.id);
		staged = documents.stage(document.id, document.revision, embedder.space, paired(slice, vectors));
		staged.catch(() => undefined); // it is awaited in the next round or by who publishes; until then it is not unhandled
		if (chunks.length > chunksPerSlice) step.progress({ done: start + slice.length, total: chunks.length, unit: "chunk" });
	}
	return { ...chunked, staged };
}

/** The same step for a part of the work; its progress counts for the whole. */
function within(step: Step, before: number, total: number): Step {
	return { ...step, progress: ({ done, unit }) => step.progress({ done: before + done, total, unit }) };
}

/** Each with its vector. */
export function paired(chunks: readonly Chunk[], vectors: readonly Vector[]): readonly EmbeddedChunk[] {
	return chunks.flatMap((chunk, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ chunk, vector }];
	});
}

export async function indexChunks({ staged, ...chunked }: Embedded, tenant: TenantStore, world: World): Promise<Indexed> {
	const { document } = chunked;
	const { id, revision } = document;
	const found = describe(chunked);
	// At the same time, so that one write to the disk serves both.
	const kept = await Promise.all([staged, tenant.documents.describe(id, revision, found)]);
	const publishedAt = world.now();
	// A write that found its revision gone: the document was changed or deleted meanwhile, and this run is void.
	if (kept.includes(false) || !(await tenant.documents.publish(id, revision, publishedAt))) throw fail("DOCUMENT_SUPERSEDED", id);
	if (document.content.kind !== "text") await tenant.blobs.remove(keptExtractionKey(document));
	return { ...chunked, document: { ...document, findings: { ...document.findings, ...found } }, publishedAt };
}

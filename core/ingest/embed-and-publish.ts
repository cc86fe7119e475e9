/** Stages three and four: chunks are embedded in batches and staged with their vectors, so that no search sees half a document; then what is staged is published. */

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
import { keptExtractionKey } from "./extract.ts";
import type { Chunked, Embedded, Indexed } from "./stage-results.ts";

/** Embedded and written in one go: few enough that their vectors are nothing beside the text, and that other writers get their turn. */
const chunksPerSlice = 512;

/**
 * One slice is written while the next is embedded; publishing waits for the last. Texts of the published revision keep their vectors: of
 * a conversation that grows only what is new is embedded.
 */
export async function embed(
	chunked: Chunked,
	embedder: Embedder,
	tenant: Pick<TenantStore, "documents" | "vectors">,
	step: Step,
	turn?: Turn,
): Promise<Embedded> {
	const { document, chunks } = chunked;
	const known = document.publishedRevision === null ? null : await publishedVectors(document, embedder.space, tenant);
	let staged = Promise.resolve(true);
	for (let start = 0; start < chunks.length; start += chunksPerSlice) {
		const slice = chunks.slice(start, start + chunksPerSlice);
		const texts = slice.map(({ indexedText }) => indexedText);
		const kept = (await known?.(texts)) ?? new Map<string, Vector>();
		const fresh = [...new Set(texts)].filter((text) => !kept.has(text));
		const made = await embedTexts(fresh, embedder, "document", within(step, start + slice.length - fresh.length, chunks.length), turn);
		for (const [i, vector] of made.entries()) kept.set(fresh[i] ?? "", vector);
		// The document was changed or deleted meanwhile: the rest is not embedded.
		if (!(await staged)) throw fail("DOCUMENT_SUPERSEDED", document.id);
		const vectors = texts.flatMap((text) => kept.get(text) ?? []);
		staged = tenant.documents.stage(document.id, document.revision, embedder.space, paired(slice, vectors));
		staged.catch(() => undefined); // it is awaited in the next round or by who publishes; until then it is not unhandled
		if (chunks.length > chunksPerSlice) step.progress({ done: start + slice.length, total: chunks.length, unit: "chunk" });
	}
	return { ...chunked, staged };
}

/** @returns what finds the vectors that texts have in the published revision: none in an embedding space it is not in yet. */
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

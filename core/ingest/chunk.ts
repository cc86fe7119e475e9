/** Stage two: chooses a chunker and numbers the chunks. */

import { fail } from "../errors/fail.ts";
import type { ChunkDraft } from "../model/chunk.ts";
import type { Extraction } from "../model/extraction.ts";
import type { ChunkId } from "../model/id.ts";
import { newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { choose } from "../plugin/choose.ts";
import type { Chunker, Embedder, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";
import type { ChunkedDocument, ExtractedDocument } from "./stage-results.ts";
import { surroundingsIn } from "./surroundings.ts";

export interface ChunkParts {
	readonly chunkers: readonly Chunker[];
	readonly embedder: Pick<Embedder, "name" | "fits">;
	readonly world: World;
}

/** If the embedder would truncate chunks, their size limit is multiplied by this until all fit, but not below `charactersMin`. */
const shrinkage = 0.75;
const charactersMin = 100;

/** @param size the length of chunks in characters that the organisation has set; null if it has set none */
export async function chunk(
	extracted: ExtractedDocument,
	size: number | null,
	{ chunkers, embedder, world }: ChunkParts,
	step: Step,
): Promise<ChunkedDocument> {
	const { document, extraction, mediaType } = extracted;
	const chunker = choose(chunkers, mediaType, extraction);
	if (chunker === null) throw fail("CHUNKER_MISSING", mediaType, chunkers.map(({ name }) => name).join(", "));
	const drafts = await fittingDrafts(chunker, extraction, size, embedder, step);
	if (drafts.length > limits.chunksPerDocumentMax) throw fail("OUTPUT_TOO_LARGE", `${limits.chunksPerDocumentMax} chunks`);
	if (drafts.length === 0) throw fail("CONTENT_EMPTY");
	const { id, revision } = document;
	const surroundingsOf = surroundingsIn(extraction.blocks);
	const placed = drafts.map((draft) => ({ ...draft, place: { ...draft.place, ...surroundingsOf(draft.place) } }));
	return {
		...extracted,
		chunks: placed.map((draft, position) => ({ ...draft, id: newId<ChunkId>(world.randomBytes, world.now()), document: id, revision, position })),
	};
}

/**
 * Splits the document with smaller and smaller limits until every chunk fits the embedder. Chunkers count characters, since they know
 * no model, so the limit that fits is found by trying. One limit holds for the whole document.
 */
async function fittingDrafts(chunker: Chunker, extraction: Extraction, size: number | null, embedder: ChunkParts["embedder"], step: Step) {
	for (let charactersMax: number = size ?? limits.chunkCharactersMax; ; charactersMax = Math.floor(charactersMax * shrinkage)) {
		const drafts = await chunker.chunk(extraction, size === null ? { charactersMax } : { charactersMax, charactersWanted: charactersMax }, step);
		const truncatedCount = await countTruncated(drafts, embedder, step);
		if (truncatedCount === 0) return drafts;
		if (charactersMax * shrinkage >= charactersMin) continue;
		step.warn("CHUNKS_CUT", `${truncatedCount} chunks are longer than the embedder ${embedder.name} reads`);
		return drafts;
	}
}

async function countTruncated(drafts: readonly ChunkDraft[], { fits }: ChunkParts["embedder"], step: Step): Promise<number> {
	if (fits === undefined) return 0;
	const texts = drafts.map(({ indexedText }) => indexedText);
	return (await fits(texts, step)).filter((isRead) => !isRead).length;
}

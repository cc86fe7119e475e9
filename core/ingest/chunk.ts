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
import type { Chunked, Extracted } from "./stage-results.ts";

export interface ChunkParts {
	readonly chunkers: readonly Chunker[];
	readonly embedder: Pick<Embedder, "name" | "fits">;
	readonly world: World;
}

/** Chunks that an embedder would cut are made smaller by so much, and again, down to what no model is too small for. */
const shrinkage = 0.75;
const charactersMin = 100;

/** @param size what a chunk shall have and no more, where the organisation has said so. */
export async function chunk(extracted: Extracted, size: number | null, { chunkers, embedder, world }: ChunkParts, step: Step): Promise<Chunked> {
	const { document, extraction, mediaType } = extracted;
	const chunker = choose(chunkers, mediaType, extraction);
	if (chunker === null) throw fail("CHUNKER_MISSING", mediaType, chunkers.map(({ name }) => name).join(", "));
	const drafts = await fittingDrafts(chunker, extraction, size, embedder, step);
	if (drafts.length > limits.chunksPerDocumentMax) throw fail("OUTPUT_TOO_LARGE", `${limits.chunksPerDocumentMax} chunks`);
	if (drafts.length === 0) throw fail("CONTENT_EMPTY");
	const { id, revision } = document;
	return {
		...extracted,
		chunks: drafts.map((draft, position) => ({ ...draft, id: newId<ChunkId>(world.randomBytes, world.now()), document: id, revision, position })),
	};
}

/** The limit is in characters, since a chunker knows no model; how many fit is found by trying. The densest passage decides for the document. */
async function fittingDrafts(chunker: Chunker, extraction: Extraction, size: number | null, embedder: ChunkParts["embedder"], step: Step) {
	for (let charactersMax: number = size ?? limits.chunkCharactersMax; ; charactersMax = Math.floor(charactersMax * shrinkage)) {
		const drafts = await chunker.chunk(extraction, size === null ? { charactersMax } : { charactersMax, charactersWanted: charactersMax }, step);
		const cut = await countCut(drafts, embedder, step);
		if (cut === 0) return drafts;
		if (charactersMax * shrinkage >= charactersMin) continue;
		step.warn("CHUNKS_CUT", `${cut} chunks are longer than the embedder ${embedder.name} reads`);
		return drafts;
	}
}

async function countCut(drafts: readonly ChunkDraft[], { fits }: ChunkParts["embedder"], step: Step): Promise<number> {
	if (fits === undefined) return 0;
	const texts = drafts.map(({ indexedText }) => indexedText);
	return (await fits(texts, step)).filter((isRead) => !isRead).length;
}

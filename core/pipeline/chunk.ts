/** Stage two: chooses a chunker and numbers the chunks. */

import { fail } from "../errors/fail.ts";
import type { ChunkId } from "../model/id.ts";
import { newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { choose } from "../plugin/choose.ts";
import type { Chunker, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";
import type { Chunked, Extracted } from "./hand-offs.ts";

/** @param size what a chunk shall have and no more, where the organisation has said so. */
export async function chunk(extracted: Extracted, chunkers: readonly Chunker[], size: number | null, world: World, step: Step): Promise<Chunked> {
	const { document, extraction, mediaType } = extracted;
	const chunker = choose(chunkers, mediaType, extraction);
	if (chunker === null) throw fail("CHUNKER_MISSING", mediaType, chunkers.map(({ name }) => name).join(", "));
	const drafts = await chunker.chunk(
		extraction,
		size === null ? { charactersMax: limits.chunkCharactersMax } : { charactersMax: size, charactersWanted: size },
		step,
	);
	if (drafts.length > limits.chunksPerDocumentMax) throw fail("OUTPUT_TOO_LARGE", `${limits.chunksPerDocumentMax} chunks`);
	if (drafts.length === 0) throw fail("CONTENT_EMPTY");
	const { id, revision } = document;
	return {
		...extracted,
		chunks: drafts.map((draft, position) => ({ ...draft, id: newId<ChunkId>(world.randomBytes), document: id, revision, position })),
	};
}

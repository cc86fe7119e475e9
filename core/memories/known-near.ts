/** The known memories that a language model is shown beside a piece of a document, so that it can say which of them are out of date. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { MemoryId } from "../model/id.ts";
import { wholeOrganisation } from "../model/scope.ts";
import { affinity } from "../model/vector.ts";
import type { Embedder, KnownMemory } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { indexWords, isStopWord } from "../ranking/words.ts";
import { sentenceSpans } from "../text/sentence-spans.ts";

export interface KnownNearParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
}

/** A model reads a longer list with less care, and each costs tokens. */
const shownMax = 20;
const nearestPerChunk = 12;
/** A memory that is further away is not out of date because of this piece. */
const affinityMin = 0.3;
const charactersMax = 300;

/**
 * Nearest first. What the same document has said before is left out, and what a sentence of the piece says itself: a document that
 * is read once more, or comes again under another name, makes the same questions, and these are answered already.
 */
export function knownNear(document: Document, containerTags: readonly string[], { tenant, embedder, world }: KnownNearParts) {
	const scope = { ...wholeOrganisation, containerTags, tagsMatch: "any" as const, filter: document.neighbourFilter ?? null };
	return async (chunks: readonly Chunk[]): Promise<readonly KnownMemory[]> => {
		const index = tenant.vectors(embedder.space);
		const memoryFilter = { scope, includeForgotten: false, now: world.now() };
		const best = new Map<MemoryId, number>();
		const vectors = [...(await index.chunkVectors(chunks.map(({ id }) => id))).values()];
		for (const hits of await index.nearestMemoriesOfEach(vectors, memoryFilter, nearestPerChunk)) {
			for (const { id, score } of hits) {
				if (affinity(score, embedder.space.calibration) >= affinityMin) best.set(id, Math.max(score, best.get(id) ?? score));
			}
		}
		const memories = await tenant.memories.get([...best].sort(([, a], [, b]) => b - a).map(([id]) => id));
		const isSaid = sayingOf(chunks);
		return memories
			.filter(({ evidence, text }) => !evidence.some((one) => one.document === document.id) && !isSaid(text))
			.slice(0, shownMax)
			.map(({ id, text, saidAt, createdAt }) => ({ id, text: text.slice(0, charactersMax), on: saidAt ?? createdAt }));
	};
}

/** Whether one sentence has all the words of a memory. */
function sayingOf(chunks: readonly Chunk[]): (text: string) => boolean {
	const sentences = chunks.flatMap(({ text }) => sentenceSpans(text).map((span) => new Set(indexWords(text.slice(...span)))));
	return (text) => {
		const words = indexWords(text).filter((word) => !isStopWord(word));
		return sentences.some((said) => words.every((word) => said.has(word)));
	};
}

/** Finds known memories for the prompt of a language model, so that it can tell which of them a piece of a document makes outdated. */

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

export interface KnownMemoriesDependencies {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
}

/** Models are less reliable with longer lists, and each memory costs tokens. */
const knownMemoriesMax = 20;
const nearestPerChunk = 12;
/** A memory that is less similar cannot be outdated because of this piece. */
const affinityMin = 0.3;
const charactersMax = 300;

/**
 * Returns a function that finds the known memories for some chunks, most similar first. It leaves out memories of the same document, and
 * memories that a sentence of the piece states itself. So the prompts of a document that is read again, or added again under another name,
 * are the same as before, and their stored responses can be used.
 */
export function knownMemoriesFinder(document: Document, containerTags: readonly string[], { tenant, embedder, world }: KnownMemoriesDependencies) {
	const scope = { ...wholeOrganisation, containerTags, tagsMatch: "any" as const, filter: document.neighbourFilter ?? null };
	return async (chunks: readonly Chunk[]): Promise<readonly KnownMemory[]> => {
		const index = tenant.vectors(embedder.space);
		const memoryFilter = { scope, includeForgotten: false, now: world.now() };
		const bestScores = new Map<MemoryId, number>();
		const vectors = [...(await index.chunkVectors(chunks.map(({ id }) => id))).values()];
		for (const hits of await index.nearestMemoriesOfEach(vectors, memoryFilter, nearestPerChunk)) {
			for (const { id, score } of hits) {
				if (affinity(score, embedder.space.calibration) >= affinityMin) bestScores.set(id, Math.max(score, bestScores.get(id) ?? score));
			}
		}
		const memories = await tenant.memories.get([...bestScores].sort(([, a], [, b]) => b - a).map(([id]) => id));
		const isInPiece = sentenceMatcher(chunks);
		return memories
			.filter(({ evidence, text }) => !evidence.some((one) => one.document === document.id) && !isInPiece(text))
			.slice(0, knownMemoriesMax)
			.map(({ id, text, saidAt, createdAt }) => ({ id, text: text.slice(0, charactersMax), on: saidAt ?? createdAt }));
	};
}

/** Returns a test of whether one sentence of the chunks has all the words of a memory. */
function sentenceMatcher(chunks: readonly Chunk[]): (text: string) => boolean {
	const sentences = chunks.flatMap(({ text }) => sentenceSpans(text).map((span) => new Set(indexWords(text.slice(...span)))));
	return (text) => {
		const words = indexWords(text).filter((word) => !isStopWord(word));
		return sentences.some((sentenceWords) => words.every((word) => sentenceWords.has(word)));
	};
}

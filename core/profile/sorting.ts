/**
 * Classifies memories into profile buckets by rules: a memory belongs to a bucket when it shares words with the bucket's key and
 * description, when their vectors are near, or, for preferences, by its verb. Scores use the scale of search, where 0.6 is relevant.
 */

import type { ProfileBucket } from "../model/container.ts";
import { limits } from "../model/limits.ts";
import type { Memory } from "../model/memory.ts";
import { cosine, type EmbeddingSpace, type Vector } from "../model/vector.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { Sorted } from "../ports/profile-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { relevance } from "../ranking/relevance.ts";
import { indexWords, queryWords } from "../ranking/words.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import { saysPreference } from "./preference-rules.ts";

const relevanceMin = 0.6;
/** The word score of one shared word. A memory is a sentence, so one distinctive word counts nearly as much as a fully matched query. */
const sharedWordScore = 0.46;
const sharedWordsMax = 2;

/** Words of descriptions that say nothing about their subject. */
const stopWords = new Set(
	indexWords(
		`user users person people somebody someone anybody thing things fact facts information detail details about data item items topic topics include
		includes including related everything anything etc like likes love hate want wants other others general such use uses used using know known
		important relevant mention mentioned say says said currently one two new may might well way kind part`,
	),
);

/** Buckets with the words and vectors that memories are compared with. */
export interface Sorting {
	readonly buckets: readonly { readonly key: string; readonly words: ReadonlySet<string>; readonly vector: Vector | null }[];
	readonly space: EmbeddingSpace;
}

export async function prepareSorting(buckets: readonly ProfileBucket[], embedder: Embedder, step: Step): Promise<Sorting> {
	const texts = buckets.map(({ key, description }) => `${key.replaceAll(/[-_]/g, " ")}: ${description}`);
	const vectors = await embedTexts(texts, embedder, "query", step);
	return {
		buckets: buckets.map(({ key }, i) => ({
			key,
			words: new Set(queryWords(texts[i] ?? "", limits.queryWordsMax).filter((word) => !stopWords.has(word))),
			vector: vectors[i] ?? null,
		})),
		space: embedder.space,
	};
}

/** @param vector the memory's; null if it has none in this embedding space */
export function bucketsFor(text: string, vector: Vector | null, { buckets, space }: Sorting): readonly string[] {
	const words = queryWords(text, limits.queryWordsMax);
	return buckets
		.filter((bucket) => {
			if (bucket.key === "preferences" && saysPreference(text)) return true;
			const shared = words.filter((word) => bucket.words.has(word)).length;
			const similarity = vector === null || bucket.vector === null ? null : cosine(vector, bucket.vector);
			return relevance({ words: sharedWordScore * Math.min(sharedWordsMax, shared), cosine: similarity }, space) >= relevanceMin;
		})
		.map(({ key }) => key);
}

export interface SortingParts {
	readonly tenant: Pick<TenantStore, "profiles" | "vectors">;
	readonly embedder: Embedder;
}

/** A cache of recent sortings, so that bucket descriptions are embedded once. */
const sortingCache = new WeakMap<Embedder, Map<string, Promise<Sorting>>>();
const cachedMax = 500;

export async function sortedByRules(
	memories: readonly Memory[],
	buckets: readonly ProfileBucket[],
	{ tenant, embedder }: SortingParts,
	step: Step,
): Promise<readonly Sorted[]> {
	const [sorting, vectors] = await Promise.all([
		sortingFor(buckets, embedder, step),
		tenant.vectors(embedder.space).memoryVectors(memories.map(({ id }) => id)),
	]);
	return memories.map(({ id, text }) => ({ memory: id, buckets: bucketsFor(text, vectors.get(id) ?? null, sorting) }));
}

async function sortingFor(buckets: readonly ProfileBucket[], embedder: Embedder, step: Step): Promise<Sorting> {
	const cache = sortingCache.get(embedder) ?? new Map<string, Promise<Sorting>>();
	sortingCache.set(embedder, cache);
	const name = JSON.stringify(buckets);
	const inProgress = cache.get(name);
	// The caller that started it may have been aborted; then it is started again.
	const ready = inProgress === undefined ? null : await inProgress.catch(() => null);
	if (ready !== null) return ready;
	if (cache.size >= cachedMax) cache.clear();
	const pending = prepareSorting(buckets, embedder, step);
	cache.set(name, pending);
	pending.catch(() => {
		if (cache.get(name) === pending) cache.delete(name);
	});
	return pending;
}

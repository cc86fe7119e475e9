/** Wraps a storage so that it is searched through the indexes listed in the config. */

import type { Embedders } from "../embedding-spaces/embedders.ts";
import type { Digest } from "../language/fingerprint.ts";
import type { OrganisationId } from "../model/id.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";
import type { VectorIndex, WordIndex } from "../plugin/contract.ts";
import type { Storage } from "../ports/storage.ts";
import type { WordSearch } from "../ports/word-search.ts";
import type { World } from "../ports/world.ts";
import { type CollectionAddress, createCollections } from "./collections.ts";
import { countedTexts } from "./counted-texts.ts";
import { feedCollections } from "./feed-collections.ts";
import { indexedVectors } from "./indexed-vectors.ts";
import { indexedWords } from "./indexed-words.ts";
import { readContents, readingOnce } from "./read-contents.ts";
import { wordEntry } from "./word-entry.ts";

export interface IndexParts {
	readonly embedders: Pick<Embedders, "ofSpace">;
	readonly digest: Digest;
	readonly world: World;
}

export interface IndexedStorage {
	readonly storage: Storage;
	/** Keeps the index up to date until the signal is aborted. */
	readonly feed: (signal: AbortSignal) => Promise<void>;
	/** For each listed index by name: for how many seconds it has not had all changes. */
	readonly lag: () => Readonly<Record<string, number>>;
}

const kinds = ["chunk", "memory"] as const;

type SpaceAddress = Omit<CollectionAddress, "kind">;

export interface ListedIndexes {
	readonly vectorIndex?: VectorIndex | undefined;
	readonly wordIndex?: WordIndex | undefined;
}

/** Returns the storage unchanged if no index is listed. */
export function withListedIndexes(storage: Storage, { vectorIndex, wordIndex }: ListedIndexes, parts: IndexParts): IndexedStorage {
	const vectors = vectorIndex === undefined ? null : withVectorIndex(storage, vectorIndex, parts);
	const words = wordIndex === undefined ? null : withWordIndex(vectors?.storage ?? storage, wordIndex, parts);
	return {
		storage: words?.storage ?? vectors?.storage ?? storage,
		feed: async (signal) => void (await Promise.all([vectors?.feed(signal), words?.feed(signal)])),
		lag: () => ({ ...vectors?.lag(), ...words?.lag() }),
	};
}

export function withVectorIndex(storage: Storage, index: VectorIndex, { digest, embedders, world }: IndexParts): IndexedStorage {
	const collections = createCollections(index, digest);
	const { filters } = index;
	let lagSeconds = 0;
	const contentsOf = readContents<{ readonly vector: Vector }>(
		({ vector }) => ({ vector }),
		({ vector }) => vector.byteLength,
	);

	/** Of embedding spaces without an embedder here, by organisation and name, as the last round has found them. */
	let dimensions: ReadonlyMap<string, number> = new Map();

	/**
	 * A server without the embedder of a space, an older one say, feeds its collections as well: others search them.
	 * @param found gets the dimensions of each organisation's vectors
	 */
	async function inSpace(name: string, organisations: readonly OrganisationId[], found: Map<string, number>): Promise<readonly SpaceAddress[]> {
		const own = embedders.ofSpace(name)?.space;
		if (own !== undefined) return organisations.map((organisation) => ({ organisation, space: own }));
		const existing = new Set(organisations);
		const withVectors = (await storage.spaces.organisations(name, Number.POSITIVE_INFINITY)).filter((organisation) => existing.has(organisation));
		const spaces: SpaceAddress[] = [];
		// One by one, so that searches find a connection of the storage free.
		for (const organisation of withVectors) {
			const key = `${organisation} ${name}`;
			const stored = dimensions.get(key) ?? (await storage.spaces.dimensionsOf(name, organisation));
			if (stored === null) continue;
			found.set(key, stored);
			spaces.push({ organisation, space: { name, dimensions: stored } });
		}
		return spaces;
	}

	/** Includes embedding spaces that are not searched now, so that their collections learn of deletions too. */
	async function addresses(): Promise<readonly CollectionAddress[]> {
		const organisations = (await storage.accounts.organisations()).map(({ id }) => id);
		const found = new Map<string, number>();
		const spaces: (readonly SpaceAddress[])[] = [];
		for (const name of await storage.spaces.names()) spaces.push(await inSpace(name, organisations, found));
		// Whoever has no vectors now may have others later.
		dimensions = found;
		return spaces.flat().flatMap((address) => kinds.map((kind) => ({ ...address, kind })));
	}

	return {
		storage: {
			...storage,
			organisation: (organisation, job) => {
				const tenant = storage.organisation(organisation, job);
				const vectors = (space: EmbeddingSpace) => {
					const [source, fallback] = [storage.vectorSource(organisation, space), tenant.vectors(space)];
					const contents = contentsOf(`${organisation} ${space.dimensions} ${space.name}`);
					return indexedVectors({ organisation, space, filters, collections, source, contents, fallback, log: world.log });
				};
				return { ...tenant, vectors };
			},
		},
		feed: (signal) =>
			feedCollections(
				{
					...{ index, storage, collections, addresses, world },
					reportLag: (seconds) => {
						lagSeconds = seconds;
					},
					sourceOf: ({ organisation, space }) => {
						if (space === null) throw new TypeError("a collection of vectors has no space");
						return storage.vectorSource(organisation, space);
					},
					entryOf: ({ id, vector, containerTags }) => ({ id, vector, containerTags }),
				},
				signal,
			),
		lag: () => ({ [index.name]: lagSeconds }),
	};
}

export function withWordIndex(storage: Storage, index: WordIndex, { digest, world }: IndexParts): IndexedStorage {
	const collections = createCollections(index, digest);
	const { filters } = index;
	let lagSeconds = 0;
	const cachedCounts = countedTexts();
	const contentsOf = readContents<{ readonly text: string }>(
		({ text }) => ({ text }),
		({ text }) => 2 * text.length,
	);

	function wordsOf(organisation: OrganisationId, fallback: WordSearch): WordSearch {
		return indexedWords({
			filters,
			state: (kind) => collections.state({ organisation, space: null, kind }),
			source: readingOnce(storage.textSource(organisation), contentsOf(organisation)),
			countsOf: cachedCounts(organisation),
			fallback: { search: fallback, log: world.log },
		});
	}

	async function addresses(): Promise<readonly CollectionAddress[]> {
		return (await storage.accounts.organisations()).flatMap(({ id: organisation }) => kinds.map((kind) => ({ organisation, space: null, kind })));
	}

	return {
		storage: {
			...storage,
			organisation: (organisation, job) => {
				const tenant = storage.organisation(organisation, job);
				return { ...tenant, words: wordsOf(organisation, tenant.words) };
			},
		},
		feed: (signal) =>
			feedCollections(
				{
					...{ index, storage, collections, addresses, world },
					reportLag: (seconds) => {
						lagSeconds = seconds;
					},
					sourceOf: ({ organisation }) => storage.textSource(organisation),
					entryOf: ({ id, text, containerTags }) => wordEntry(id, text, containerTags),
				},
				signal,
			),
		lag: () => ({ [index.name]: lagSeconds }),
	};
}

/** Vector indexes that break one promise each, and the contract test that must notice. */

import type { VectorCollection, VectorIndex } from "cairn-memory";
import { exactIndex } from "../../doubles/exact-index.ts";

export interface VectorIndexMutant {
	readonly name: string;
	readonly contractTest: string;
	readonly start: () => { readonly index: VectorIndex; readonly reopened?: VectorIndex };
}

function spoiled(name: string, contractTest: string, spoil: (sound: VectorCollection) => Partial<VectorCollection>): VectorIndexMutant {
	return { name, contractTest, start: () => ({ index: spoilCollections(exactIndex(), spoil) }) };
}

function spoilCollections(index: VectorIndex, spoil: (sound: VectorCollection) => Partial<VectorCollection>): VectorIndex {
	const open: VectorIndex["open"] = async (...asked) => {
		const sound = await index.open(...asked);
		return { ...sound, ...spoil(sound) };
	};
	return { ...index, open };
}

/** Answers by what it has of before the last changes. */
function late(sound: VectorCollection): Partial<VectorCollection> {
	let waiting: Parameters<VectorCollection["apply"]>[0] | null = null;
	return {
		apply: async (changes) => {
			if (waiting !== null) await sound.apply(waiting);
			waiting = changes;
		},
		position: async () => waiting?.position ?? null,
	};
}

function emptiedButFor(position: string): VectorIndex {
	return spoilCollections(exactIndex(), () => ({ position: async () => position }));
}

export const vectorIndexMutants: readonly VectorIndexMutant[] = [
	{ name: "nameless", contractTest: "vector index: it has a name and says how it filters", start: () => ({ index: { ...exactIndex(), name: " " } }) },
	spoiled("claims a position", "vector index: a new collection is empty and has no position", () => ({ position: async () => "0" })),
	spoiled("misses every fifth", "vector index: the first ten are those that brute force finds", ({ nearest }) => ({
		nearest: async (query, limit, within) => (await nearest(query, limit * 2, within)).filter((_, i) => i % 5 !== 0).slice(0, limit),
	})),
	spoiled("is content with fifty", "vector index: as many are answered as are asked for and there, each once, best first", ({ nearest }) => ({
		nearest: (query, limit, within) => nearest(query, Math.min(limit, 50), within),
	})),
	spoiled("is late", "vector index: what was applied is found at once", late),
	spoiled("is late while more follows", "vector index: so is what was applied while more follows", (sound) => {
		const waiting: Parameters<VectorCollection["apply"]>[0][] = [];
		return {
			apply: async (changes) => {
				waiting.push(changes);
				if (changes.moreFollow !== true) for (const each of waiting.splice(0)) await sound.apply(each);
			},
			position: async () => waiting.at(-1)?.position ?? sound.position(),
		};
	}),
	spoiled("keeps the first", "vector index: what is put again is replaced, tags and vector", (sound) => {
		const known = new Set<string>();
		return {
			apply: async (changes) => {
				await sound.apply({ ...changes, put: changes.put.filter(({ id }) => !known.has(id)) });
				for (const { id } of changes.put) known.add(id);
			},
		};
	}),
	spoiled("never forgets", "vector index: what is removed is not found", ({ apply }) => ({ apply: (changes) => apply({ ...changes, remove: [] }) })),
	spoiled("sifts afterwards", "vector index: a search is narrowed before it is counted", ({ nearest }) => ({
		nearest: async (query, limit, within) => {
			const inside = new Set(await nearest(query, 10_000, within));
			const open = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;
			return (await nearest(query, limit, open)).filter((id) => inside.has(id));
		},
	})),
	{
		name: "has one collection for all",
		contractTest: "vector index: two collections know nothing of each other",
		start: () => {
			const sound = exactIndex();
			return { index: { ...sound, open: (_name, ...rest) => sound.open("all", ...rest) } };
		},
	},
	{
		name: "drops nothing",
		contractTest: "vector index: what was dropped is gone and can be made anew",
		start: () => ({ index: { ...exactIndex(), drop: async () => {} } }),
	},
	{
		name: "keeps its position and loses the rest",
		contractTest: "vector index: opened anew it holds all up to its position",
		start: () => ({ index: exactIndex(), reopened: emptiedButFor("and further") }),
	},
	spoiled("is closed while it is fed", "vector index: searches go on while it is fed", ({ apply, nearest }) => {
		let isFed = false;
		return {
			apply: async (changes) => {
				isFed = true;
				await Promise.resolve();
				await apply(changes);
				isFed = false;
			},
			nearest: async (...asked) => (isFed ? [] : nearest(...asked)),
		};
	}),
];

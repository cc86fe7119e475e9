/** Word indexes that break one promise each, and the contract test that must notice. */

import type { WordCollection, WordIndex } from "cairn-memory";
import { exactWordIndex } from "../../doubles/exact-word-index.ts";

export interface WordIndexMutant {
	readonly name: string;
	readonly contractTest: string;
	readonly start: () => { readonly index: WordIndex; readonly reopened?: WordIndex };
}

type Spoil = (sound: WordCollection) => Partial<WordCollection>;

function spoilCollections(index: WordIndex, spoil: Spoil): WordIndex {
	const open: WordIndex["open"] = async (...asked) => {
		const sound = await index.open(...asked);
		return { ...sound, ...spoil(sound) };
	};
	return { ...index, open };
}

function spoiled(name: string, contractTest: string, spoil: Spoil): WordIndexMutant {
	return { name, contractTest: `word index: ${contractTest}`, start: () => ({ index: spoilCollections(exactWordIndex(), spoil) }) };
}

/** Answers by what it has of before the last changes. */
function late(sound: WordCollection): Partial<WordCollection> {
	let waiting: Parameters<WordCollection["apply"]>[0] | null = null;
	return {
		apply: async (changes) => {
			if (waiting !== null) await sound.apply(waiting);
			waiting = changes;
		},
		position: async () => waiting?.position ?? null,
	};
}

export const wordIndexMutants: readonly WordIndexMutant[] = [
	{ name: "nameless", contractTest: "word index: it has a name and says how it filters", start: () => ({ index: { ...exactWordIndex(), name: "" } }) },
	spoiled("claims a position", "a new collection is empty and has no position", () => ({ position: async () => "0" })),
	spoiled("answers the worst first", "the first ten by BM25 are among the first twenty", ({ match }) => ({
		match: async (groups, limit, within) => (await match(groups, 10_000, within)).toReversed().slice(0, limit),
	})),
	spoiled("counts the first term of a group", "counts are those of all texts", ({ count }) => ({
		count: (groups) => count(groups.map((terms) => terms.slice(0, 1))),
	})),
	spoiled("is content with ten", "all that hold any of the terms are answered, each once, up to the limit", ({ match }) => ({
		match: (groups, limit, within) => match(groups, Math.min(limit, 10), within),
	})),
	spoiled("counts what it holds as once", "what a text is scored by is told as it was put, if it tells it", ({ matchCounted }) => ({
		matchCounted: async (...asked) =>
			((await matchCounted?.(...asked)) ?? []).map(({ id, counted }) => ({
				id,
				counted: counted && { ...counted, terms: new Map(Array.from(counted.terms.keys(), (term) => [term, 1])) },
			})),
	})),
	spoiled("takes terms for letters alone", "terms are compared as they are, whatever signs they hold", ({ match }) => ({
		match: (groups, limit, within) =>
			match(
				groups.map(({ terms, weight }) => ({ weight, terms: terms.map((term) => term.replace(/[^\p{L}]/gu, "")) })),
				limit,
				within,
			),
	})),
	spoiled("is late", "what was applied is found and counted at once", late),
	spoiled("never forgets", "what is put again is replaced, and what is removed is gone", ({ apply }) => ({
		apply: (changes) => apply({ ...changes, remove: [] }),
	})),
	spoiled("sifts afterwards", "a search is narrowed before it is counted", ({ match }) => ({
		match: async (groups, limit, within) => {
			const inside = new Set(await match(groups, 10_000, within));
			const all = await match(groups, limit, { containerTags: [], tagsMatch: "all", allowedIds: null });
			return all.filter((id) => inside.has(id));
		},
	})),
	{
		name: "has one collection for all",
		contractTest: "word index: two collections know nothing of each other",
		start: () => {
			const sound = exactWordIndex();
			return { index: { ...sound, open: (_name, ...rest) => sound.open("all", ...rest) } };
		},
	},
	{
		name: "drops nothing",
		contractTest: "word index: what was dropped is gone and can be made anew",
		start: () => ({ index: { ...exactWordIndex(), drop: async () => {} } }),
	},
	{
		name: "keeps its position and loses the rest",
		contractTest: "word index: opened anew it holds all up to its position",
		start: () => ({ index: exactWordIndex(), reopened: spoilCollections(exactWordIndex(), () => ({ position: async () => "and further" })) }),
	},
	spoiled("knows no spelling", "spellings that share letters are found, if it looks for any", () => ({ spellings: async () => [] })),
];

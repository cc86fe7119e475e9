/** A word index that looks at every text and keeps it in RAM: what contract tests and tests hold others to. */

import type { WordCollection, WordEntry, WordIndex } from "cairn-memory";

export function exactWordIndex(filters: WordIndex["filters"] = "payload"): WordIndex {
	const collections = new Map<string, WordCollection>();
	return {
		name: "exact",
		filters,
		open: async (name) => {
			const known = collections.get(name) ?? exactCollection();
			collections.set(name, known);
			return known;
		},
		names: async () => [...collections.keys()],
		drop: async (name) => void collections.delete(name),
	};
}

function exactCollection(): WordCollection {
	const entries = new Map<string, WordEntry>();
	let applied: string | null = null;
	const sum = (of: (entry: WordEntry) => number) => [...entries.values()].reduce((total, entry) => total + of(entry), 0);
	const collection: WordCollection = {
		position: async () => applied,
		apply: async ({ put, remove, position }) => {
			for (const id of remove) entries.delete(id);
			for (const entry of put) entries.set(entry.id, entry);
			applied = position;
		},
		count: async (groups) => ({
			texts: entries.size,
			words: sum(({ words }) => words),
			grams: sum(({ grams }) => grams),
			holders: groups.map((terms) => sum((entry) => (terms.some((term) => entry.terms.has(term)) ? 1 : 0))),
		}),
		match: async (groups, limit, { containerTags, tagsMatch, allowedIds }) => {
			const allowed = allowedIds === null ? null : new Set(allowedIds);
			const average = sum(({ words }) => words) / Math.max(1, entries.size);
			const isWithin = ({ id, containerTags: own }: WordEntry) => {
				if (allowed !== null && !allowed.has(id)) return false;
				if (containerTags.length === 0) return true;
				return tagsMatch === "all" ? containerTags.every((tag) => own.includes(tag)) : containerTags.some((tag) => own.includes(tag));
			};
			const scoreOf = ({ terms: own, words }: WordEntry) =>
				groups.reduce((score, { terms, weight }) => {
					const count = Math.max(0, ...terms.map((term) => own.get(term) ?? 0));
					return score + (weight * count) / (count + 0.9 * (0.25 + (0.75 * (words + 20)) / (average + 20)));
				}, 0);
			return [...entries.values()]
				.filter(isWithin)
				.map((entry) => ({ id: entry.id, score: scoreOf(entry) }))
				.filter(({ score }) => score > 0)
				.sort((a, b) => b.score - a.score)
				.slice(0, limit)
				.map(({ id }) => id);
		},
		spellings: async (grams, limit) => {
			const spelled = new Set([...entries.values()].flatMap((entry) => entry.spelled));
			const shared = (word: string) => grams.filter((gram) => word.includes(gram)).length;
			return [...spelled]
				.filter((word) => shared(word) > 0)
				.sort((a, b) => shared(b) - shared(a))
				.slice(0, limit);
		},
	};
	const heldOf = ({ terms: own, words, grams }: WordEntry, terms: readonly string[]) => ({
		terms: new Map(terms.flatMap((term) => (own.has(term) ? [[term, own.get(term) ?? 0] as const] : []))),
		words,
		grams,
	});
	return {
		...collection,
		matchCounted: async (groups, limit, within, terms) => {
			const found = await collection.match(groups, limit, within);
			return found.flatMap((id) => (entries.has(id) ? [{ id, counted: heldOf(entries.get(id) as WordEntry, terms) }] : []));
		},
	};
}

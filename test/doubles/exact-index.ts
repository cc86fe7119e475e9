/** A vector index that compares everything and keeps it in RAM: what contract tests and tests hold others to. */

import { cosine, type VectorCollection, type VectorEntry, type VectorIndex } from "cairn-memory";

export function exactIndex(filters: VectorIndex["filters"] = "payload"): VectorIndex {
	const collections = new Map<string, VectorCollection>();
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

function exactCollection(): VectorCollection {
	const entries = new Map<string, VectorEntry>();
	let applied: string | null = null;
	return {
		position: async () => applied,
		apply: async ({ put, remove, position }) => {
			for (const id of remove) entries.delete(id);
			for (const entry of put) entries.set(entry.id, { ...entry, vector: entry.vector.slice() });
			applied = position;
		},
		nearest: async (query, limit, { containerTags, tagsMatch, allowedIds }) => {
			const allowed = allowedIds === null ? null : new Set(allowedIds);
			const isWithin = ({ id, containerTags: own }: VectorEntry) => {
				if (allowed !== null && !allowed.has(id)) return false;
				if (containerTags.length === 0) return true;
				return tagsMatch === "all" ? containerTags.every((tag) => own.includes(tag)) : containerTags.some((tag) => own.includes(tag));
			};
			return [...entries.values()]
				.filter(isWithin)
				.map(({ id, vector }) => ({ id, score: cosine(query, vector) }))
				.sort((a, b) => b.score - a.score)
				.slice(0, limit)
				.map(({ id }) => id);
		},
	};
}

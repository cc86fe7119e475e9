/** A cache for values computed from words. */

import { BoundedMap, ownCopy } from "cairn-memory/words";

/** Longer words are not cached: they are rare, and each would take the space of ten others. */
const charactersMax = 32;

/** What an entry takes beside the numbers of its value: the word, its place in the map, and the objects around the numbers. Measured with words of 5 to 24 characters. */
const entryBytes = 350;

/** @param compute the value of a word. @param bytesOf the size of a value. @returns `compute` with the cache in front of it. */
export function createWordCache<Value>(compute: (word: string) => Value, bytesOf: (value: Value) => number, bytesMax: number) {
	const cache = new BoundedMap<string, Value>(bytesMax, (value) => entryBytes + bytesOf(value));
	return (word: string): Value => {
		const cached = cache.get(word);
		if (cached !== undefined) return cached;
		const value = compute(word);
		if (word.length <= charactersMax) cache.set(ownCopy(word), value);
		return value;
	};
}

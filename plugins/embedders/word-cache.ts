/** A cache for values computed from words. It is emptied when it is full, which costs only time. */

export interface WordCacheLimits {
	readonly wordsMax: number;
	/** How many numbers all values may have together. In the hashing embedder a word of seven characters has 20. */
	readonly numbersMax: number;
}

/** Longer words are not cached: they are rare, and each would take the space of ten others. */
const charactersMax = 32;

/** @param compute the value of a word. @param numbersOf how many numbers a value has. @returns `compute` with the cache in front of it. */
export function createWordCache<Value>(compute: (word: string) => Value, numbersOf: (value: Value) => number, { wordsMax, numbersMax }: WordCacheLimits) {
	const cache = new Map<string, Value>();
	let numbers = 0;
	return (word: string): Value => {
		const cached = cache.get(word);
		if (cached !== undefined) return cached;
		const value = compute(word);
		if (word.length > charactersMax) return value;
		numbers += numbersOf(value);
		if (cache.size >= wordsMax || numbers > numbersMax) {
			cache.clear();
			numbers = numbersOf(value);
		}
		cache.set(word, value);
		return value;
	};
}

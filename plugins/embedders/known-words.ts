/** A cache for values computed from words. It is emptied when it is full, which only affects speed. */

export interface KnownWords {
	readonly wordsMax: number;
	/** In all: a word of 64 characters has 190 numbers, one of seven 20. */
	readonly numbersMax: number;
}

/** Longer words are rare, and each would take the space of ten. */
const charactersMax = 32;

/** @param numbersOf how many numbers a value has. */
export function knownWords<Value>(find: (word: string) => Value, numbersOf: (value: Value) => number, { wordsMax, numbersMax }: KnownWords) {
	const known = new Map<string, Value>();
	let numbers = 0;
	return (word: string): Value => {
		const before = known.get(word);
		if (before !== undefined) return before;
		const found = find(word);
		if (word.length > charactersMax) return found;
		numbers += numbersOf(found);
		if (known.size >= wordsMax || numbers > numbersMax) {
			known.clear();
			numbers = numbersOf(found);
		}
		known.set(word, found);
		return found;
	};
}

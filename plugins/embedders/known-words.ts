/** What was found out about words met lately: words repeat, so most are found. Forgotten when it is too much, which changes speed only. */

export interface KnownWords {
	readonly wordsMax: number;
	/** Of all words together: a word of 64 signs has 190 of them, one of seven 20. */
	readonly numbersMax: number;
}

/** Longer ones hardly come again, and each would take the place of ten. */
const charactersMax = 32;

/** @param numbersOf how many numbers an answer holds. */
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

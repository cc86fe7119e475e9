/** The n-grams of a word with a mark at each end. */

/** From three characters, because shorter ones are in every word, to five, for endings. */
const gramLengths = [3, 4, 5];

export function gramsOf(word: string): readonly string[] {
	const marked = `<${word}>`;
	const grams: string[] = [];
	for (const length of gramLengths) {
		for (let i = 0; i + length <= marked.length; i++) grams.push(marked.slice(i, i + length));
	}
	return grams;
}

/** The terms of a text in a script without spaces: its characters, and every two neighbours. */

export function* pairsAndSingles(run: string): Generator<string> {
	let before = "";
	for (const character of run) {
		if (before !== "") yield before + character;
		yield character;
		before = character;
	}
}

/** What to look for: its pairs, since they tell more, or the only character. */
export function pairsOrSingle(run: string): readonly string[] {
	const characters = Array.from(run);
	const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`);
	return pairs.length > 0 ? pairs : [run];
}

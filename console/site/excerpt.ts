/** The part of a text around the first word that was found, cut into what was found and what stands between. */

export interface Part {
	readonly text: string;
	readonly isFound: boolean;
}

const charactersMax = 150;
const charactersBefore = 40;

export function excerpt(text: string, words: readonly string[]): readonly Part[] {
	if (words.length === 0) return [{ text: text.slice(0, charactersMax), isFound: false }];
	const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join("|")})`, "iu");
	const at = Math.max(0, text.search(pattern) - charactersBefore);
	const begin = at === 0 ? 0 : text.indexOf(" ", at) + 1;
	const passage = `${begin > 0 ? "… " : ""}${text.slice(begin, begin + charactersMax)}${begin + charactersMax < text.length ? " …" : ""}`;
	// What is found stands at the odd places.
	return passage.split(new RegExp(pattern, "giu")).map((part, i) => ({ text: part, isFound: i % 2 === 1 }));
}

/** Cuts texts to a length without splitting a surrogate pair at the end, since half of one cannot be stored as UTF-8. */

const highSurrogate = /[\uD800-\uDBFF]$/;

/** Puts the text on one line and cuts it at a word, with `…` at the end if something is left out. */
export function shorten<Text extends string | null>(text: Text, charactersMax: number): Text | string {
	const flat = text?.replaceAll(/\s+/g, " ").trim();
	if (flat === undefined || flat.length <= charactersMax) return flat ?? text;
	const cut = flat.slice(0, charactersMax - 1);
	const lastSpace = cut.lastIndexOf(" ");
	return `${(lastSpace > charactersMax / 2 ? cut.slice(0, lastSpace) : cut).replace(highSurrogate, "")}…`;
}

/** The beginning of the text, at most `charactersMax` UTF-16 units. */
export function cutText(text: string, charactersMax: number): string {
	return text.length <= charactersMax ? text : text.slice(0, charactersMax).replace(highSurrogate, "");
}

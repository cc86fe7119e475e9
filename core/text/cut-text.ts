/** Texts cut to a length, never with half a character at the end, which no storage could keep. */

const halfCharacter = /[\uD800-\uDBFF]$/;

/** On one line, cut at a word, with a mark where something is left out. @returns the text itself when it fits. */
export function shorten<Text extends string | null>(text: Text, charactersMax: number): Text | string {
	const flat = text?.replaceAll(/\s+/g, " ").trim();
	if (flat === undefined || flat.length <= charactersMax) return flat ?? text;
	const cut = flat.slice(0, charactersMax - 1);
	const lastSpace = cut.lastIndexOf(" ");
	return `${(lastSpace > charactersMax / 2 ? cut.slice(0, lastSpace) : cut).replace(halfCharacter, "")}…`;
}

/** Its beginning. */
export function cutText(text: string, charactersMax: number): string {
	return text.length <= charactersMax ? text : text.slice(0, charactersMax).replace(halfCharacter, "");
}

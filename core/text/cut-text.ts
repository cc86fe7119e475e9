/** The beginning of a text, never with half a character at its end, which no storage could keep. */
export function cutText(text: string, charactersMax: number): string {
	return text.length <= charactersMax ? text : text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, "");
}

/** About how many tokens a text is to a language model. Every model counts differently; this is close for English and never far below. A part of a token counts. */

/** Of scripts with spaces, as the providers say. */
const charactersPerToken = 4;
/** Chinese, Japanese, Korean and what lies beyond: a sign is about a token. */
const denseFrom = 0x2e80;

export function tokensOf(text: string): number {
	let dense = 0;
	for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= denseFrom) dense++;
	return dense + (text.length - dense) / charactersPerToken;
}

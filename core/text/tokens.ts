/** Estimates the number of tokens of a text, without rounding. Models count differently; for English the estimate is close and seldom much too low. */

/** The average that providers state for scripts with spaces. */
const charactersPerToken = 4;
/** From this code point on (Chinese, Japanese, Korean and others) a character is about one token. */
const denseFrom = 0x2e80;

export function tokensOf(text: string): number {
	let dense = 0;
	for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= denseFrom) dense++;
	return dense + (text.length - dense) / charactersPerToken;
}

/** Lines that follow each other → one text: words that were cut at the end of a line are made whole. */

import type { Line } from "../page-text.ts";

/** A word cut at the end of a line, by a hyphen or a soft one. */
const cutWord = /\p{L}[-\u00AD\u2010]$/u;
/** What goes on after a hyphen without being one word with it: an address, a path, an option. */
const compound = /(?:[/_.@\d]\S*|\p{Lu})[-\u2010]$/u;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

export function joinLines(lines: readonly Line[]): string {
	return lines.map(({ text }) => text).reduce((joined, text) => (joined === "" ? text : joinTexts(joined, text)), "");
}

export function joinTexts(above: string, below: string): string {
	if (goesOnInWord(above, below)) return `${isCompound(above) ? above : above.slice(0, -1)}${below}`;
	return `${above}${unspacedScript.test(above) ? "" : " "}${below}`;
}

function goesOnInWord(above: string, below: string): boolean {
	return cutWord.test(above) && /^\p{Ll}/u.test(below);
}

/** Whether the last word above is one with the first below, without its hyphen. */
export function isCutBefore(above: string, below: string): boolean {
	return goesOnInWord(above, below) && !isCompound(above);
}

function isCompound(above: string): boolean {
	return compound.test(above.slice(above.lastIndexOf(" ") + 1));
}

/** Joins consecutive lines into one text, with hyphenated words made whole. */

import type { Line } from "../page-text.ts";

/** A line that ends with a hyphenated word. */
const cutWord = /\p{L}[-\u00AD\u2010]$/u;
/** A line end where the hyphen is part of the text: an address, a path, an option. */
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

/** Whether the last word above continues below, so that the hyphen is removed. */
export function isCutBefore(above: string, below: string): boolean {
	return goesOnInWord(above, below) && !isCompound(above);
}

function isCompound(above: string): boolean {
	return compound.test(above.slice(above.lastIndexOf(" ") + 1));
}

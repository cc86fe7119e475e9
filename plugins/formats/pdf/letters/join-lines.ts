/** Joins consecutive lines into one text, and removes hyphens at line ends. */

import type { Line } from "../page-text.ts";

/** A line end that may split a word. */
const hyphenatedEnd = /\p{L}[-\u00AD\u2010]$/u;
/** A line end at which the hyphen is part of the text: of a URL, a path or an option. */
const hyphenIsText = /(?:[/_.@\d]\S*|\p{Lu})[-\u2010]$/u;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

export function joinLines(lines: readonly Line[]): string {
	return lines.map(({ text }) => text).reduce((joined, text) => (joined === "" ? text : joinTexts(joined, text)), "");
}

export function joinTexts(above: string, below: string): string {
	if (splitsWord(above, below)) return `${keepsHyphen(above) ? above : above.slice(0, -1)}${below}`;
	return `${above}${unspacedScript.test(above) ? "" : " "}${below}`;
}

function splitsWord(above: string, below: string): boolean {
	return hyphenatedEnd.test(above) && /^\p{Ll}/u.test(below);
}

/** Whether the last word of the line above continues below, and its hyphen is to be removed. */
export function isHyphenatedWord(above: string, below: string): boolean {
	return splitsWord(above, below) && !keepsHyphen(above);
}

function keepsHyphen(above: string): boolean {
	return hyphenIsText.test(above.slice(above.lastIndexOf(" ") + 1));
}

/**
 * Guards tell whether a text has a word that a pattern needs. Most clauses have none, and to look at their words takes a fraction of the time
 * of two dozen patterns. A guard may let a text pass that its pattern refuses, but never the other way round.
 */

import { forgetWords, type ScannedWord, scanWords } from "./scan-words.ts";

/** The bit of a guard is its position here. */
const guarded: ((word: string) => boolean)[] = [];
const guardsMax = 32;
const allBits = -1;
/** The bits of guards that letters beyond ASCII pass. */
let otherLetters = 0;
/** The properties of a clause are mostly asked for one after another. */
let last = { text: "", bits: 0 };

/**
 * @param passes whether a text with this word passes. @param passesOtherLetters whether any text with letters beyond ASCII does too.
 * @returns the guard
 */
export function createGuard(passes: (word: string) => boolean, passesOtherLetters = false): (text: string) => boolean {
	if (guarded.length === guardsMax) throw new Error("there is no bit for another guard");
	const bit = 1 << guarded.length;
	guarded.push(passes);
	forgetWords();
	last = { text: "", bits: 0 };
	if (passesOtherLetters) otherLetters |= bit;
	return (text) => (bitsOf(text) & bit) !== 0;
}

/** A guard for patterns that need one of these words. */
export function needsWord(words: string): (text: string) => boolean {
	const pattern = new RegExp(`^(?:${words})$`);
	return createGuard((word) => pattern.test(word));
}

function bitsOf(text: string): number {
	if (text === last.text) return last.bits;
	const { words, isAscii, hasUnderscore } = scanWords(text);
	// For patterns `_` is a letter, so they see other words.
	let bits = hasUnderscore ? allBits : 0;
	if (!isAscii) bits |= otherLetters;
	for (const word of words) bits |= word.guards ?? guardsOf(word);
	last = { text, bits };
	return bits;
}

function guardsOf(word: ScannedWord): number {
	word.guards = guarded.reduce((bits, passes, i) => (passes(word.text) ? bits | (1 << i) : bits), 0);
	return word.guards;
}

/**
 * Finds the words of a text, with what is known of each of them. A word that was seen before is recognised in place: to cut it out of the
 * text and to look it up takes ten times as long, and a statement is scanned a dozen times.
 */

import { ownCopy } from "cairn-memory/words";

/** What all users of the scan want to know of a word. It is found out once. */
export interface ScannedWord {
	readonly text: string;
	readonly hash: number;
	/** The guards that a text with this word passes, see `guards.ts`. */
	guards: number | null;
	/** The significant words that it stands for, see `significant-words.ts`. */
	significant: readonly string[] | null;
}

export interface ScannedText {
	/** The words in letters and digits of ASCII, in their order. */
	readonly words: readonly ScannedWord[];
	readonly isAscii: boolean;
	/** Whether it has `_`, which patterns take for a letter. */
	readonly hasUnderscore: boolean;
}

/** At most half of the places are taken, so that a word is found at the first or second place. A word takes about 150 bytes. */
const places = 2 ** 16;
const knownMax = places / 2;
/** So many places are emptied at once when it is full: dropping all words would let memory rise and fall by megabytes. */
const droppedPlaces = 1_024;
let table: (ScannedWord | undefined)[] = new Array(places);
let knownCount = 0;
let droppedUpTo = 0;

export function scanWords(text: string): ScannedText {
	const words: ScannedWord[] = [];
	let [isAscii, hasUnderscore] = [true, false];
	let [begin, hash] = [-1, 0];
	for (let i = 0; i <= text.length; i++) {
		const code = i < text.length ? text.charCodeAt(i) : 0;
		if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)) {
			if (begin < 0) [begin, hash] = [i, 0];
			hash = (Math.imul(hash, 31) + code) | 0;
			continue;
		}
		if (begin >= 0) words.push(wordAt(text, begin, i, hash));
		begin = -1;
		if (code >= 128) isAscii = false;
		else if (code === 95) hasUnderscore = true;
	}
	return { words, isAscii, hasUnderscore };
}

function wordAt(text: string, begin: number, end: number, hash: number): ScannedWord {
	let place = (hash ^ (hash >>> 15)) & (places - 1);
	for (let known = table[place]; known !== undefined; known = table[place]) {
		if (known.hash === hash && known.text.length === end - begin && text.startsWith(known.text, begin)) return known;
		place = (place + 1) & (places - 1);
	}
	const word = { text: ownCopy(text.slice(begin, end)), hash, guards: null, significant: null };
	if (knownCount >= knownMax) dropSomeWords();
	table[place] = word;
	knownCount += 1;
	return word;
}

/**
 * Empties the next places, in turn. A word that stood behind them because its own place was taken may not be found any more. It is added
 * again then, and the old entry goes when the turn comes to its place.
 */
function dropSomeWords(): void {
	for (const end = droppedUpTo + droppedPlaces; droppedUpTo < end; droppedUpTo++) {
		if (table[droppedUpTo] !== undefined) knownCount -= 1;
		table[droppedUpTo] = undefined;
	}
	droppedUpTo %= places;
}

/** What is known of words is found out again. */
export function forgetWords(): void {
	table = new Array(places);
	knownCount = 0;
}

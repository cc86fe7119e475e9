/**
 * The traces that erased texts would leave in files: stretches of 16 bytes, one at every 16th byte, so that any remainder of 31 bytes
 * contains one of them; and words as indexes store them. Pieces that occur in the remaining data too are marked and not reported.
 */

import { readWords } from "../../core/ranking/words/read-words.ts";
import { createNeedleTable, type Needle } from "./byte-table.ts";

const stretchBytes = 16;
/** Shorter words are left out, because random bytes contain them by chance. */
const wordBytesMin = 8;
const wordBytesMax = 64;
/** An original file has one stretch in every 4,096 bytes. That is enough, because files are never stored in pieces. */
const filePartBytes = 4_096;
/** Beyond this number only every second stretch is kept, then every fourth, and so on. It limits the memory to about 100 MB. */
const stretchesMax = 400_000;

/** A text that the operator gives is looked for whole, or as its beginning: its words and stretches are looked for as well. */
const textBytesMax = 256;
/** Shorter ones are in a large file by chance. */
export const textBytesMin = 4;

/** Pieces of a file that overlap by this many bytes contain every needle completely. */
export const overlapBytes = textBytesMax;

export interface Traces {
	readonly addText: (text: string) => void;
	/** The same, and as a whole, which counts although the remaining data has it too. @param text of at least `textBytesMin` */
	readonly addGiven: (text: string, label: string) => void;
	readonly addFile: (bytes: Uint8Array) => void;
	/** Marks the needles in these bytes as shared, so that they are no longer reported. */
	readonly markAsShared: (bytes: Uint8Array) => void;
	/** Calls `onFound` for every needle in the bytes that is not shared, with its offset. */
	readonly find: (bytes: Uint8Array, onFound: (needle: Needle, offset: number) => void) => void;
	/** The number of all needles, and of those that do not occur in the remaining data. */
	readonly counts: () => { readonly all: number; readonly own: number };
}

export function createTraces(): Traces {
	const stretches = createNeedleTable(stretchBytes);
	const words = createNeedleTable(wordBytesMin);
	const texts = createNeedleTable(textBytesMin);
	const encoder = new TextEncoder();
	let [keptCount, seenCount, stride] = [0, 0, 1];
	let hasGiven = false;

	function addStretch(bytes: Uint8Array, offset: number): void {
		const stretch = bytes.slice(offset, offset + stretchBytes);
		// Stretches of few different bytes, such as blanks, rulers and padding, occur everywhere.
		if (stretch.length < stretchBytes || new Set(stretch).size < 5 || seenCount++ % stride !== 0) return;
		if (stretches.add({ kind: "stretch", bytes: stretch, labels: [], isShared: false })) keptCount += 1;
		if (keptCount % stretchesMax === 0) stride *= 2;
	}

	const find: Traces["find"] = (bytes, onFound) => {
		stretches.scan(bytes, onFound);
		const lowered = lowerCased(bytes);
		words.scan(lowered, onFound);
		if (hasGiven) texts.scan(lowered, onFound);
	};

	function addText(text: string): void {
		const bytes = encoder.encode(text);
		for (let offset = 0; offset + stretchBytes <= bytes.length; offset += stretchBytes) addStretch(bytes, offset);
		const wordsOfText = readWords(text);
		for (const word of new Set([...wordsOfText.words, ...wordsOfText.stems, ...wordsOfText.spelled])) {
			const stretch = lowerCased(encoder.encode(word)).slice(0, wordBytesMax);
			if (stretch.length >= wordBytesMin) words.add({ kind: "word", bytes: stretch, labels: [], isShared: false });
		}
	}

	return {
		addText,
		addGiven: (text, label) => {
			addText(text);
			hasGiven = true;
			for (const form of formsOf(text))
				texts.add({ kind: "text", bytes: lowerCased(encoder.encode(form)).slice(0, textBytesMax), labels: [label], isShared: false });
		},
		addFile: (bytes) => {
			for (let offset = 0; offset < bytes.length; offset += filePartBytes) addStretch(bytes, offset);
		},
		markAsShared: (bytes) =>
			find(bytes, (needle) => {
				needle.isShared = needle.kind !== "text";
			}),
		find: (bytes, onFound) => find(bytes, (needle, offset) => !needle.isShared && onFound(needle, offset)),
		counts: () => {
			const all = [...stretches.needles(), ...words.needles(), ...texts.needles()];
			return { all: all.length, own: all.filter(({ isShared }) => !isShared).length };
		},
	};
}

/** As it is, in either case where that is more than ASCII, composed and decomposed, and each within JSON, and within JSON in JSON. */
function formsOf(text: string): ReadonlySet<string> {
	const cased = [text, text.toLowerCase(), text.toUpperCase()];
	const composed = cased.flatMap((each) => [each, each.normalize("NFC"), each.normalize("NFD")]);
	return new Set(composed.flatMap((each) => [each, inJson(each), inJson(inJson(each))]));
}

function inJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** Lowercases ASCII letters, because index files contain words in lower case. */
function lowerCased(bytes: Uint8Array): Uint8Array {
	return bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
}

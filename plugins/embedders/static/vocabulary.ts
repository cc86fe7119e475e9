/** Which row a word has: one text and a hash table of numbers, where a map of 30,000 strings takes 6 MB in each thread it takes 2. */

import { murmur3 } from "../murmur3.ts";

const newline = 10;
const empty = -1;

/** @param text the words in the order of their rows, one a line. */
export function rowsOf(text: string): (word: string) => number | undefined {
	const lines = text.split("\n");
	// A power of two, at most half full: hardly a word meets another on its way.
	const slots = new Int32Array(2 ** Math.ceil(Math.log2(lines.length * 2))).fill(empty);
	const starts = new Uint32Array(lines.length);
	let start = 0;
	for (const [row, word] of lines.entries()) {
		starts[row] = start;
		start += word.length + 1;
		slots[slotOf(word)] = row;
	}

	/** Where the word is, or would be put. */
	function slotOf(word: string): number {
		let slot = murmur3(word) % slots.length;
		while (!isFreeFor(slots[slot] ?? empty, word)) slot = (slot + 1) % slots.length;
		return slot;
	}

	function isFreeFor(row: number, word: string): boolean {
		if (row === empty) return true;
		const at = starts[row] ?? 0;
		const after = at + word.length;
		return text.startsWith(word, at) && (after === text.length || text.charCodeAt(after) === newline);
	}

	return (word) => {
		const row = slots[slotOf(word)] ?? empty;
		return row === empty ? undefined : row;
	};
}

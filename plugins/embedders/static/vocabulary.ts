/** Maps words to rows with one string and a numeric hash table. It takes 2 MB in each thread; a map of 30,000 strings would take 6 MB. */

import { murmur3 } from "../murmur3.ts";

const newline = 10;
const emptySlot = -1;

/** @param text the words in the order of their rows, one per line. */
export function rowsOf(text: string): (word: string) => number | undefined {
	const lines = text.split("\n");
	// A power of two, at most half full, so that collisions are rare.
	const slots = new Int32Array(2 ** Math.ceil(Math.log2(lines.length * 2))).fill(emptySlot);
	const starts = new Uint32Array(lines.length);
	let start = 0;
	for (const [row, word] of lines.entries()) {
		starts[row] = start;
		start += word.length + 1;
		slots[slotOf(word)] = row;
	}

	/** The slot of the word, or the free slot in which it would be stored. */
	function slotOf(word: string): number {
		let slot = murmur3(word) % slots.length;
		while (!isFreeFor(slots[slot] ?? emptySlot, word)) slot = (slot + 1) % slots.length;
		return slot;
	}

	/** Whether a slot is empty or has the word. */
	function isFreeFor(row: number, word: string): boolean {
		if (row === emptySlot) return true;
		const offset = starts[row] ?? 0;
		const end = offset + word.length;
		return text.startsWith(word, offset) && (end === text.length || text.charCodeAt(end) === newline);
	}

	return (word) => {
		const row = slots[slotOf(word)] ?? emptySlot;
		return row === emptySlot ? undefined : row;
	};
}

/** Boxes of ISO media files (MP4, MOV): found by name, never wider than the box around, whatever their sizes say. */

import type { ByteView } from "../byte-view.ts";

export interface Box {
	readonly name: string;
	/** Of what is inside. */
	readonly begin: number;
	readonly end: number;
	/** Where its header begins: fragments count from there. */
	readonly start: number;
}

/** A file has a few boxes around its samples; a fragmented one two for every second. */
const boxesMax = 200_000;

/** The boxes that follow each other in a range. Ends where a size cannot be: what comes behind has no place any more. */
export function* boxesIn(view: ByteView, begin: number, end: number): Generator<Box> {
	let start = begin;
	for (let count = 0; count < boxesMax && start + 8 <= end; count++) {
		const short = view.u32(start);
		const isLong = short === 1;
		if (isLong && start + 16 > end) return;
		const size = isLong ? view.u64(start + 8) : short === 0 ? end - start : short;
		const header = isLong ? 16 : 8;
		if (size < header) return;
		yield { name: view.name(start + 4), begin: start + header, end: Math.min(start + size, end), start };
		start += size;
	}
}

/** Whether the boxes of a range fill it: they do not in a file that was cut or whose sizes lie. */
export function areWhole(view: ByteView, begin: number, end: number): boolean {
	let at = begin;
	for (const box of boxesIn(view, begin, end)) at = box.end;
	return at === end || (end - at < 8 && at > begin);
}

export function boxAt(view: ByteView, around: Box | null, ...path: readonly string[]): Box | null {
	let found = around;
	for (const name of path) {
		if (found === null) return null;
		found = firstBox(view, found.begin, found.end, name);
	}
	return found;
}

export function childrenOf(view: ByteView, around: Box | null, name: string): readonly Box[] {
	return around === null ? [] : [...boxesIn(view, around.begin, around.end)].filter((box) => box.name === name);
}

function firstBox(view: ByteView, begin: number, end: number, name: string): Box | null {
	for (const box of boxesIn(view, begin, end)) if (box.name === name) return box;
	return null;
}

/** Boxes of ISO media files (MP4, MOV): found by name, and cut at the end of the parent whatever their sizes claim. */

import type { ByteView } from "../byte-view.ts";

export interface Box {
	readonly name: string;
	/** Offset of its content. */
	readonly begin: number;
	readonly end: number;
	/** Offset of its header; fragments count from there. */
	readonly start: number;
}

/** A file has few boxes besides its samples; a fragmented one has two for every second. */
const boxesMax = 200_000;

/** The sibling boxes in a range. It stops at an impossible size. */
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

/** Whether the boxes fill the range; they do not in a truncated or damaged file. */
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

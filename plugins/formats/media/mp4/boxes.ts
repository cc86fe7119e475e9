/** Finds boxes of ISO media files (MP4, MOV) by name. A box that claims to be longer than its parent is cut at the parent's end. */

import type { ByteView } from "../byte-view.ts";

export interface Box {
	readonly name: string;
	/** Offset of its content. */
	readonly begin: number;
	readonly end: number;
	/** Offset of its header. Offsets in fragments are relative to it. */
	readonly start: number;
}

/** A file has few boxes besides its samples. A fragmented file has about two for every second. */
const boxesMax = 200_000;

/** The sibling boxes in a range, up to an invalid size. */
export function* boxesIn(view: ByteView, begin: number, end: number): Generator<Box> {
	let start = begin;
	for (let count = 0; count < boxesMax && start + 8 <= end; count++) {
		const size32 = view.u32(start);
		const isLong = size32 === 1;
		if (isLong && start + 16 > end) return;
		const size = isLong ? view.u64(start + 8) : size32 === 0 ? end - start : size32;
		const header = isLong ? 16 : 8;
		if (size < header) return;
		yield { name: view.name(start + 4), begin: start + header, end: Math.min(start + size, end), start };
		start += size;
	}
}

/** Whether the boxes fill the range. In a truncated or damaged file they do not. */
export function fillRange(view: ByteView, begin: number, end: number): boolean {
	let offset = begin;
	for (const box of boxesIn(view, begin, end)) offset = box.end;
	return offset === end || (end - offset < 8 && offset > begin);
}

/** The first box that the path of names leads to. */
export function boxByPath(view: ByteView, parent: Box | null, ...path: readonly string[]): Box | null {
	let found = parent;
	for (const name of path) {
		if (found === null) return null;
		found = firstBox(view, found.begin, found.end, name);
	}
	return found;
}

export function childrenOf(view: ByteView, parent: Box | null, name: string): readonly Box[] {
	return parent === null ? [] : [...boxesIn(view, parent.begin, parent.end)].filter((box) => box.name === name);
}

function firstBox(view: ByteView, begin: number, end: number, name: string): Box | null {
	for (const box of boxesIn(view, begin, end)) if (box.name === name) return box;
	return null;
}

/** Reads the blocks of a Matroska cluster: their track, time and frames. A block with several frames uses lacing. */

import type { ByteView } from "../byte-view.ts";
import { type Element, varintAt } from "./elements.ts";

export interface Block {
	readonly track: number;
	/** In ticks, relative to the cluster's time. */
	readonly time: number;
	/** Offsets in the file. */
	readonly frames: readonly (readonly [begin: number, end: number])[];
}

/** Null for a malformed block. If the sizes of its frames are wrong, only the frames before the error are returned. */
export function blockOf(view: ByteView, { begin, end }: Element): Block | null {
	const track = varintAt(view, begin, end);
	if (track === null || begin + track.length + 3 > end) return null;
	const offset = begin + track.length;
	const lacing = (view.u8(offset + 2) >> 1) & 3;
	return { track: track.value, time: view.i16(offset), frames: framesOf(view, lacing, offset + 3, end) };
}

function framesOf(view: ByteView, lacing: number, begin: number, end: number): Block["frames"] {
	if (lacing === 0 || begin >= end) return [[begin, end]];
	const count = view.u8(begin) + 1;
	if (lacing === 2) {
		const size = Math.floor((end - begin - 1) / count);
		return Array.from({ length: count }, (_, index) => [begin + 1 + index * size, begin + 1 + (index + 1) * size] as const);
	}
	const { sizes, framesStart } = lacing === 1 ? xiphSizes(view, begin + 1, end, count - 1) : ebmlSizes(view, begin + 1, end, count - 1);
	const frames: [number, number][] = [];
	let offset = framesStart;
	for (const size of sizes) {
		if (size < 0 || offset + size > end) return frames;
		frames.push([offset, offset + size]);
		offset += size;
	}
	return [...frames, [offset, end]];
}

interface Sizes {
	readonly sizes: readonly number[];
	readonly framesStart: number;
}

/** Xiph lacing: a size is the sum of bytes up to and including the first one below 255. */
function xiphSizes(view: ByteView, begin: number, end: number, count: number): Sizes {
	const sizes: number[] = [];
	let offset = begin;
	while (sizes.length < count && offset < end) {
		let size = 0;
		let byte = 255;
		for (; byte === 255 && offset < end; offset++) {
			byte = view.u8(offset);
			size += byte;
		}
		sizes.push(size);
	}
	return { sizes, framesStart: offset };
}

/** EBML lacing: the first size, then the difference of each size from the one before. */
function ebmlSizes(view: ByteView, begin: number, end: number, count: number): Sizes {
	const sizes: number[] = [];
	let offset = begin;
	while (sizes.length < count) {
		const number = varintAt(view, offset, end);
		if (number === null) break;
		offset += number.length;
		const bias = 2 ** (7 * number.length - 1) - 1;
		sizes.push(sizes.length === 0 ? number.value : (sizes.at(-1) ?? 0) + number.value - bias);
	}
	return { sizes, framesStart: offset };
}

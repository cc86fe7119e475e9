/** Blocks of a Matroska cluster: which track, when, and the frames inside, laced or not. */

import type { ByteView } from "../byte-view.ts";
import { type Element, varintAt } from "./elements.ts";

export interface Block {
	readonly track: number;
	/** In ticks, relative to the cluster's time. */
	readonly offset: number;
	readonly frames: readonly (readonly [begin: number, end: number])[];
}

/** Null for a malformed block. Of a block with wrong lace sizes the frames before the error are kept. */
export function blockOf(view: ByteView, { begin, end }: Element): Block | null {
	const track = varintAt(view, begin, end);
	if (track === null || begin + track.length + 3 > end) return null;
	const at = begin + track.length;
	const lacing = (view.u8(at + 2) >> 1) & 3;
	return { track: track.value, offset: view.i16(at), frames: framesOf(view, lacing, at + 3, end) };
}

function framesOf(view: ByteView, lacing: number, begin: number, end: number): Block["frames"] {
	if (lacing === 0 || begin >= end) return [[begin, end]];
	const count = view.u8(begin) + 1;
	if (lacing === 2) {
		const size = Math.floor((end - begin - 1) / count);
		return Array.from({ length: count }, (_, index) => [begin + 1 + index * size, begin + 1 + (index + 1) * size] as const);
	}
	const { sizes, from } = lacing === 1 ? xiphSizes(view, begin + 1, end, count - 1) : ebmlSizes(view, begin + 1, end, count - 1);
	const frames: [number, number][] = [];
	let at = from;
	for (const size of sizes) {
		if (size < 0 || at + size > end) return frames;
		frames.push([at, at + size]);
		at += size;
	}
	return [...frames, [at, end]];
}

interface Sizes {
	readonly sizes: readonly number[];
	readonly from: number;
}

/** Xiph lacing: a size is the sum of bytes up to the first below 255. */
function xiphSizes(view: ByteView, begin: number, end: number, count: number): Sizes {
	const sizes: number[] = [];
	let at = begin;
	while (sizes.length < count && at < end) {
		let size = 0;
		let byte = 255;
		for (; byte === 255 && at < end; at++) {
			byte = view.u8(at);
			size += byte;
		}
		sizes.push(size);
	}
	return { sizes, from: at };
}

/** EBML lacing: the first size, then the differences. */
function ebmlSizes(view: ByteView, begin: number, end: number, count: number): Sizes {
	const sizes: number[] = [];
	let at = begin;
	while (sizes.length < count) {
		const number = varintAt(view, at, end);
		if (number === null) break;
		at += number.length;
		const bias = 2 ** (7 * number.length - 1) - 1;
		sizes.push(sizes.length === 0 ? number.value : (sizes.at(-1) ?? 0) + number.value - bias);
	}
	return { sizes, from: at };
}

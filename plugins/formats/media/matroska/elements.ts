/** Finds elements of EBML (Matroska, WebM) by id. An element that claims to be longer than its parent is cut at the parent's end. */

import type { ByteView } from "../byte-view.ts";

export interface Element {
	readonly id: number;
	/** Offset of its id. */
	readonly start: number;
	/** Offset of its content. */
	readonly begin: number;
	readonly end: number;
	/** Whether its size is unknown; it then reaches to the end of the parent. */
	readonly hasUnknownSize: boolean;
}

export interface Varint {
	readonly value: number;
	readonly length: number;
	/** Whether all bits are set, which means an unknown size. */
	readonly isUnknown: boolean;
}

/** The ids of segments and clusters, which may have an unknown size. */
const mayHaveUnknownSize: ReadonlySet<number> = new Set([0x18538067, 0x1f43b675]);

/** Reads a variable-length number of 1 to 8 bytes. The number of zeros before its first set bit gives its length. Null if it is invalid. */
export function varintAt(view: ByteView, offset: number, end: number, keepsMarker = false): Varint | null {
	if (offset >= end) return null;
	const first = view.u8(offset);
	const length = Math.clz32(first) - 23;
	if (length > 8 || offset + length > end) return null;
	const marker = 0x80 >> (length - 1);
	let value = keepsMarker ? first : first & (marker - 1);
	let isUnknown = (first & (marker - 1)) === marker - 1;
	for (let index = 1; index < length; index++) {
		const byte = view.u8(offset + index);
		value = value * 256 + byte;
		isUnknown &&= byte === 0xff;
	}
	return { value, length, isUnknown };
}

/**
 * The sibling elements in a range, up to an invalid number. Each takes at least two bytes, so this always ends. Live recordings leave the
 * size of a cluster unknown; the children of such an element are yielded after it as its siblings.
 */
export function* elementsIn(view: ByteView, begin: number, end: number): Generator<Element> {
	let offset = begin;
	while (offset < end) {
		const id = varintAt(view, offset, end, true);
		if (id === null || id.length > 4) return;
		const size = varintAt(view, offset + id.length, end);
		if (size === null) return;
		const contentStart = offset + id.length + size.length;
		if (size.isUnknown && !mayHaveUnknownSize.has(id.value)) return;
		const nextStart = size.isUnknown ? end : contentStart + size.value;
		yield { id: id.value, start: offset, begin: contentStart, end: Math.min(nextStart, end), hasUnknownSize: size.isUnknown };
		offset = size.isUnknown ? contentStart : nextStart;
	}
}

export function childrenOf(view: ByteView, parent: Element, id: number): readonly Element[] {
	return [...elementsIn(view, parent.begin, parent.end)].filter((element) => element.id === id);
}

export function childOf(view: ByteView, parent: Element | null, id: number): Element | null {
	if (parent === null) return null;
	for (const element of elementsIn(view, parent.begin, parent.end)) if (element.id === id) return element;
	return null;
}

/** The number in an element; the fallback if there is no element, or it is empty or longer than eight bytes. */
export function numberIn(view: ByteView, element: Element | null, fallback: number): number {
	if (element === null || element.end - element.begin > 8 || element.end === element.begin) return fallback;
	let value = 0;
	for (let offset = element.begin; offset < element.end; offset++) value = value * 256 + view.u8(offset);
	return value;
}

export function textIn(view: ByteView, element: Element | null): string | null {
	const text = element === null ? "" : view.utf8(element.begin, Math.min(element.end, element.begin + 100_000)).trim();
	return text === "" ? null : text;
}

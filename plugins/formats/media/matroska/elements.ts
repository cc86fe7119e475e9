/** Elements of EBML (Matroska, WebM): found by id, and cut at the end of the parent whatever their sizes claim. */

import type { ByteView } from "../byte-view.ts";

export interface Element {
	readonly id: number;
	/** Offset of its id. */
	readonly start: number;
	/** Offset of its content. */
	readonly begin: number;
	readonly end: number;
	/** Its size is unknown. */
	readonly isOpen: boolean;
}

export interface Varint {
	readonly value: number;
	readonly length: number;
	/** All bits are set: an unknown size. */
	readonly isUnknown: boolean;
}

/** The segment and clusters may have an unknown size. */
const mayBeOpen: ReadonlySet<number> = new Set([0x18538067, 0x1f43b675]);

/** A variable-length number of 1 to 8 bytes: the zeros before its first bit give its length. Null where it is invalid. */
export function varintAt(view: ByteView, at: number, end: number, keepsMarker = false): Varint | null {
	if (at >= end) return null;
	const first = view.u8(at);
	const length = Math.clz32(first) - 23;
	if (length > 8 || at + length > end) return null;
	const marker = 0x80 >> (length - 1);
	let value = keepsMarker ? first : first & (marker - 1);
	let isUnknown = (first & (marker - 1)) === marker - 1;
	for (let index = 1; index < length; index++) {
		const byte = view.u8(at + index);
		value = value * 256 + byte;
		isUnknown &&= byte === 0xff;
	}
	return { value, length, isUnknown };
}

/**
 * The sibling elements in a range. Each takes at least two bytes, so this ends; it stops at an invalid number.
 * Live recordings leave the size of a cluster unknown. The children of such an element are yielded as its siblings.
 */
export function* elementsIn(view: ByteView, begin: number, end: number): Generator<Element> {
	let at = begin;
	while (at < end) {
		const id = varintAt(view, at, end, true);
		if (id === null || id.length > 4) return;
		const size = varintAt(view, at + id.length, end);
		if (size === null) return;
		const inside = at + id.length + size.length;
		if (size.isUnknown && !mayBeOpen.has(id.value)) return;
		const after = size.isUnknown ? end : inside + size.value;
		yield { id: id.value, start: at, begin: inside, end: Math.min(after, end), isOpen: size.isUnknown };
		at = size.isUnknown ? inside : after;
	}
}

export function childrenOf(view: ByteView, around: Element, id: number): readonly Element[] {
	return [...elementsIn(view, around.begin, around.end)].filter((element) => element.id === id);
}

export function childOf(view: ByteView, around: Element | null, id: number): Element | null {
	if (around === null) return null;
	for (const element of elementsIn(view, around.begin, around.end)) if (element.id === id) return element;
	return null;
}

/** The number in an element; `otherwise` where there is no element, or more than eight bytes. */
export function numberIn(view: ByteView, element: Element | null, otherwise: number): number {
	if (element === null || element.end - element.begin > 8 || element.end === element.begin) return otherwise;
	let value = 0;
	for (let at = element.begin; at < element.end; at++) value = value * 256 + view.u8(at);
	return value;
}

export function textIn(view: ByteView, element: Element | null): string | null {
	const text = element === null ? "" : view.utf8(element.begin, Math.min(element.end, element.begin + 100_000)).trim();
	return text === "" ? null : text;
}

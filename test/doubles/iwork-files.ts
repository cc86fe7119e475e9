/** Writes Pages and Keynote documents: messages of Protocol Buffers in blocks of Snappy in a ZIP. */

import { zipOf } from "./zip-of.ts";

export interface IworkObject {
	readonly id: number;
	readonly type: number;
	readonly message: Uint8Array;
}

export function varint(value: number): Uint8Array {
	const bytes: number[] = [];
	let rest = value;
	for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
	return Buffer.from([...bytes, rest]);
}

export const numberField = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
export const bytesField = (field: number, bytes: Uint8Array) => Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
export const reference = (id: number) => numberField(1, id);

/** @param kind 0 for the body, 4 for a note, null for a text box */
export function textObject(id: number, text: string, kind: number | null = null): IworkObject {
	const message = Buffer.concat([kind === null ? Buffer.alloc(0) : numberField(1, kind), bytesField(3, Buffer.from(text))]);
	return { id, type: 2001, message };
}

export function streamOf(objects: readonly IworkObject[]): Uint8Array {
	return Buffer.concat(
		objects.flatMap(({ id, type, message }) => {
			const info = Buffer.concat([numberField(1, type), numberField(3, message.length)]);
			const header = Buffer.concat([numberField(1, id), bytesField(2, info)]);
			return [varint(header.length), header, message];
		}),
	);
}

/** A block with four bytes before it. */
export function blockOf(snappy: Uint8Array): Uint8Array {
	const size = snappy.length;
	return Buffer.concat([Buffer.from([0, size & 0xff, (size >> 8) & 0xff, size >> 16]), snappy]);
}

/** Literals of at most 60 bytes, and nothing that is copied. */
export function partOf(objects: readonly IworkObject[]): Uint8Array {
	const stream = streamOf(objects);
	const literals: Uint8Array[] = [varint(stream.length)];
	for (let at = 0; at < stream.length; at += 60) {
		const piece = stream.subarray(at, at + 60);
		literals.push(Buffer.from([(piece.length - 1) << 2]), piece);
	}
	return blockOf(Buffer.concat(literals));
}

export const pagesOf = (...objects: readonly IworkObject[]) => zipOf({ "Index/Document.iwa": partOf(objects) });

/**
 * @param slides in the order in which they are stored
 * @param shown the indexes of those in the order in which they are shown
 * @param others go into a part of their own
 */
export function keynoteOf(slides: readonly (readonly IworkObject[])[], shown: readonly number[], others: readonly IworkObject[] = []): Uint8Array {
	const nodes = slides.map((_, at) => ({ id: 100 + at, type: 4, message: bytesField(2, reference(200 + at)) }));
	const tree = Buffer.concat(shown.map((at) => bytesField(2, reference(100 + at))));
	const show = { id: 1, type: 2, message: bytesField(3, tree) };
	const parts = slides.map((texts, at) => [`Index/Slide-${at}.iwa`, partOf([{ id: 200 + at, type: 5, message: new Uint8Array() }, ...texts])]);
	const master = { "Index/MasterSlide-1.iwa": partOf([textObject(9, "Title Text")]) };
	return zipOf({ "Index/CalculationEngine.iwa": partOf(others), "Index/Document.iwa": partOf([show, ...nodes]), ...Object.fromEntries(parts), ...master });
}

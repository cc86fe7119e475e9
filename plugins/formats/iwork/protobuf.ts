/** Reads the fields of a message in the wire format of Protocol Buffers, without its description. */

import { fail } from "cairn-memory";

export interface Field {
	readonly number: number;
	/** Of a varint, otherwise 0. */
	readonly value: number;
	/** Of a string, bytes or an inner message; otherwise empty. */
	readonly bytes: Uint8Array;
}

const none = new Uint8Array();

/** @throws FILE_BROKEN where a field reaches beyond the message */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
	for (let at = 0; at < message.length; ) {
		const key = readVarint(message, at);
		at = key.end;
		const [number, wireType] = [Math.floor(key.value / 8), key.value % 8];
		if (wireType === 0) {
			const { value, end } = readVarint(message, at);
			at = end;
			yield { number, value, bytes: none };
			continue;
		}
		const size = wireType === 2 ? readVarint(message, at) : { value: wireType === 1 ? 8 : 4, end: at };
		if (![1, 2, 5].includes(wireType) || size.end + size.value > message.length) throw fail("FILE_BROKEN", "a part of it is no message");
		at = size.end + size.value;
		yield { number, value: 0, bytes: message.subarray(size.end, at) };
	}
}

/** Values above 2^53 lose their last digits; only sizes, types and identifiers are read. */
export function readVarint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
	let value = 0;
	for (let at = start; at < start + 10; at++) {
		const byte = bytes[at];
		if (byte === undefined) break;
		value += (byte & 0x7f) * 2 ** (7 * (at - start));
		if (byte < 0x80) return { value, end: at + 1 };
	}
	throw fail("FILE_BROKEN", "a part of it is no message");
}

/** What is inside an OLE container, by the class of its root and the names of its streams. */

import type { MediaType } from "../../../core/model/media-type.ts";
import type { FileSign } from "../../../core/plugin/contract.ts";
import { compoundTypes, oleClasses, oleStreams } from "./known-formats.ts";
import { calledSo, type Signs } from "./signs.ts";

export function oleType(bytes: Uint8Array, ending: string, signs: Signs): MediaType {
	const ofClass = oleClasses.get(rootClass(bytes));
	if (ofClass !== undefined) return ofClass;
	const contained = signs.within("application/x-cfb");
	const head = bytes.subarray(0, 8_192);
	const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
	const held = contained.filter(({ stream }) => stream !== undefined && text.includes(stream));
	const called = contained.filter(({ endings }) => endings?.includes(ending));
	return calledSo(held.length > 0 ? held : called, ending) ?? unreadType(bytes, ending, contained) ?? "application/x-cfb";
}

/** The list of streams may stand anywhere, and what is read may be embedded in what is not: the office extractor looks closer. */
function unreadType(bytes: Uint8Array, ending: string, contained: readonly FileSign[]): MediaType | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	// What is written behind a name is a zero, so that no longer name is taken for it.
	const holds = (stream: string) => buffer.indexOf(`${stream}\0`, 0, "utf16le") >= 0;
	if (contained.some(({ stream }) => stream !== undefined && holds(stream))) return null;
	return oleStreams.find(([stream]) => holds(stream))?.[1] ?? compoundTypes.get(ending) ?? null;
}

/** In the first entry of the list of streams, 80 bytes in; 0 where there is none. */
function rootClass(bytes: Uint8Array): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.byteLength < 512) return 0;
	const sectorBytes = view.getUint16(30, true) === 12 ? 4096 : 512;
	const at = (view.getUint32(48, true) + 1) * sectorBytes + 80;
	return at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;
}

/** The media type of an OLE container's content, by the class id of its root storage and the names of its streams. */

import type { MediaType } from "../../../core/model/media-type.ts";
import type { FileSignature } from "../../../core/plugin/contract.ts";
import { type FileSignatures, preferByExtension } from "./file-signatures.ts";
import { compoundTypes, oleClasses, oleStreams } from "./known-formats.ts";

export function oleType(bytes: Uint8Array, extension: string, signatures: FileSignatures): MediaType {
	const ofClass = oleClasses.get(rootClass(bytes));
	if (ofClass !== undefined) return ofClass;
	const contained = signatures.inContainer("application/x-cfb");
	const head = bytes.subarray(0, 8_192);
	const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
	const held = contained.filter(({ oleStream }) => oleStream !== undefined && text.includes(oleStream));
	const called = contained.filter(({ extensions }) => extensions?.includes(extension));
	return preferByExtension(held.length > 0 ? held : called, extension) ?? unsupportedType(bytes, extension, contained) ?? "application/x-cfb";
}

/** An unsupported format, or null where a supported one may be inside: the directory of streams may be anywhere in the file, so all of it is searched. */
function unsupportedType(bytes: Uint8Array, extension: string, contained: readonly FileSignature[]): MediaType | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	// The zero behind the name keeps longer names from matching.
	const holds = (stream: string) => buffer.indexOf(`${stream}\0`, 0, "utf16le") >= 0;
	if (contained.some(({ oleStream }) => oleStream !== undefined && holds(oleStream))) return null;
	return oleStreams.find(([stream]) => holds(stream))?.[1] ?? compoundTypes.get(extension) ?? null;
}

/** The first four bytes of the class id, at offset 80 of the directory's first entry; 0 where there is none. */
function rootClass(bytes: Uint8Array): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.byteLength < 512) return 0;
	const sectorBytes = view.getUint16(30, true) === 12 ? 4096 : 512;
	const at = (view.getUint32(48, true) + 1) * sectorBytes + 80;
	return at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;
}

/** The media type of an OLE container's content, by the class id of its root storage and the names of its streams. */

import type { MediaType } from "../../../core/model/media-type.ts";
import type { FileSignature } from "../../../core/plugin/contract.ts";
import { type FileSignatures, preferByExtension } from "./file-signatures.ts";
import { oleTypesByClassId, oleTypesByStream, unsupportedOleTypesByExtension } from "./known-formats.ts";

export function oleType(bytes: Uint8Array, extension: string, signatures: FileSignatures): MediaType {
	const typeByClassId = oleTypesByClassId.get(rootClass(bytes));
	if (typeByClassId !== undefined) return typeByClassId;
	const contained = signatures.inContainer("application/x-cfb");
	const head = bytes.subarray(0, 8_192);
	const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
	const byStream = contained.filter(({ oleStream }) => oleStream !== undefined && text.includes(oleStream));
	const byExtension = contained.filter(({ extensions }) => extensions?.includes(extension));
	return preferByExtension(byStream.length > 0 ? byStream : byExtension, extension) ?? unsupportedType(bytes, extension, contained) ?? "application/x-cfb";
}

/** The unsupported format, or null if it might be a supported one. The directory of streams can be anywhere, so the whole file is searched. */
function unsupportedType(bytes: Uint8Array, extension: string, contained: readonly FileSignature[]): MediaType | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	// The terminating null keeps longer names from matching.
	const containsStream = (stream: string) => buffer.indexOf(`${stream}\0`, 0, "utf16le") >= 0;
	if (contained.some(({ oleStream }) => oleStream !== undefined && containsStream(oleStream))) return null;
	return oleTypesByStream.find(([stream]) => containsStream(stream))?.[1] ?? unsupportedOleTypesByExtension.get(extension) ?? null;
}

/** The first four bytes of the class id, at offset 80 of the directory's first entry; 0 if there is none. */
function rootClass(bytes: Uint8Array): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.byteLength < 512) return 0;
	const sectorBytes = view.getUint16(30, true) === 12 ? 4096 : 512;
	const offset = (view.getUint32(48, true) + 1) * sectorBytes + 80;
	return offset + 4 <= view.byteLength ? view.getUint32(offset, true) : 0;
}

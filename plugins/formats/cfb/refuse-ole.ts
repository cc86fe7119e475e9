/** Tells files in an OLE container, which no reader of packages can open, apart: protected by a password, or no document. */

import { fail, type ServiceError } from "cairn-memory";

const oleMark = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Whether what is in the container cannot be read without a password. */
export function isProtected(bytes: Uint8Array): boolean {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("EncryptedPackage", 0, "utf16le") >= 0;
}

/** Those of before 2007 have readers of their own. @throws FILE_ENCRYPTED or FILE_BROKEN for an OLE file, whatever its name said. */
export function refuseOle(bytes: Uint8Array): void {
	if (!oleMark.every((byte, index) => bytes[index] === byte)) return;
	if (isProtected(bytes)) throw fail("FILE_ENCRYPTED");
	throw fail("FILE_BROKEN", "it is an OLE container without a document in it");
}

/** Why a container of this kind, which may hold anything, is not read. */
export function unknownOle(bytes: Uint8Array, mediaType: string): ServiceError {
	return isProtected(bytes)
		? fail("FILE_ENCRYPTED")
		: fail("EXTRACTOR_MISSING", `OLE compound file of an unknown kind: ${mediaType}`, "DOC, XLS and PPT of such files");
}

/** Refuses OLE containers where a ZIP package is expected: they are encrypted with a password, or not a document. */

import { fail, type ServiceError } from "cairn-memory";

const oleSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Whether the content is encrypted with a password. */
export function isEncrypted(bytes: Uint8Array): boolean {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("EncryptedPackage", 0, "utf16le") >= 0;
}

/** Files from before 2007 have their own readers. @throws FILE_ENCRYPTED or FILE_BROKEN for any OLE file. */
export function refuseOle(bytes: Uint8Array): void {
	if (!oleSignature.every((byte, index) => bytes[index] === byte)) return;
	if (isEncrypted(bytes)) throw fail("FILE_ENCRYPTED");
	throw fail("FILE_BROKEN", "it is an OLE container without a document in it");
}

/** The error for an OLE container whose content is not supported. */
export function unknownOle(bytes: Uint8Array, mediaType: string): ServiceError {
	return isEncrypted(bytes)
		? fail("FILE_ENCRYPTED")
		: fail("EXTRACTOR_MISSING", `OLE compound file of an unknown kind: ${mediaType}`, "DOC, XLS and PPT of such files");
}

/** Tells files in an OLE container, which no reader of packages can open, apart: protected by a password, or of an older format. */

import { fail } from "cairn";

const oleMark = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Streams whose names, in UTF-16, tell what an OLE file is. */
const legacyStreams = [
	["WordDocument", "application/msword"],
	["Workbook", "application/vnd.ms-excel"],
	["PowerPoint Document", "application/vnd.ms-powerpoint"],
] as const;

/** @throws FILE_ENCRYPTED, EXTRACTOR_MISSING or FILE_BROKEN for an OLE file, whatever its name said. */
export function refuseOle(bytes: Uint8Array): void {
	if (!oleMark.every((byte, index) => bytes[index] === byte)) return;
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const holds = (name: string) => buffer.indexOf(name, 0, "utf16le") >= 0;
	if (holds("EncryptedPackage")) throw fail("FILE_ENCRYPTED");
	const legacy = legacyStreams.find(([stream]) => holds(stream));
	if (legacy !== undefined) throw fail("EXTRACTOR_MISSING", legacy[1], "DOCX, XLSX and PPTX: save it in the newer format");
	throw fail("FILE_BROKEN", "it is an OLE container without a document in it");
}

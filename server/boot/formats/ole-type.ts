/** What is inside an OLE container, by the class of its root and the names of its streams. */

import type { MediaType } from "../../../core/model/media-type.ts";
import { compoundTypes } from "./known-formats.ts";

const office = "application/vnd.openxmlformats-officedocument";

const readEndings: Readonly<Record<string, MediaType>> = {
	doc: "application/msword",
	xls: "application/vnd.ms-excel",
	ppt: "application/vnd.ms-powerpoint",
	msg: "application/vnd.ms-outlook",
	// An office file with a password is an OLE container around the encrypted one: its extractor says so.
	docx: `${office}.wordprocessingml.document`,
	xlsx: `${office}.spreadsheetml.sheet`,
	pptx: `${office}.presentationml.presentation`,
};

/** Names of streams, which OLE writes in UTF-16. */
const readStreams: readonly (readonly [stream: string, ending: string])[] = [
	["WordDocument", "doc"],
	["Workbook", "xls"],
	["PowerPoint Document", "ppt"],
	["__properties_version1.0", "msg"],
];

const unreadStreams: readonly (readonly [stream: string, type: MediaType])[] = [
	["VisioDocument", "application/vnd.ms-visio"],
	["Quill", "application/vnd.ms-publisher"],
	["HwpSummaryInformation", "application/x-hwp"],
	["RevitPreview4.0", "application/vnd.autodesk.revit"],
	["SwDocMgrTempStorage", "application/vnd.solidworks"],
];

/** Programs that put documents of others inside of theirs, by the class of their root: its first four bytes as a number. */
const unreadClasses: ReadonlyMap<number, MediaType> = new Map([
	[0x00021a13, "application/vnd.ms-visio"],
	[0x00021a14, "application/vnd.ms-visio"],
	[0x00021201, "application/vnd.ms-publisher"],
	[0x74b78f3a, "application/vnd.ms-project"],
	[0x000c1084, "application/x-msi"],
	[0x000c1086, "application/x-msi"],
]);

export function oleType(bytes: Uint8Array, ending: string): MediaType {
	const ofClass = unreadClasses.get(rootClass(bytes));
	if (ofClass !== undefined) return ofClass;
	const head = bytes.subarray(0, 8_192);
	const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
	const found = readStreams.find(([stream]) => text.includes(stream));
	// Which kind of office file is encrypted cannot be told without the password: the name knows, and any extractor says so.
	const otherwise = ending in readEndings || !text.includes("EncryptedPackage") ? ending : "docx";
	return readEndings[found?.[1] ?? otherwise] ?? unreadType(bytes, ending) ?? "application/x-cfb";
}

/** The list of streams may stand anywhere, and what is read may be embedded in what is not: the office extractor looks closer. */
function unreadType(bytes: Uint8Array, ending: string): MediaType | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	// What is written behind a name is a zero, so that no longer name is taken for it.
	const holds = (stream: string) => buffer.indexOf(`${stream}\0`, 0, "utf16le") >= 0;
	if (readStreams.some(([stream]) => holds(stream))) return null;
	return unreadStreams.find(([stream]) => holds(stream))?.[1] ?? compoundTypes.get(ending) ?? null;
}

/** In the first entry of the list of streams, 80 bytes in; 0 where there is none. */
function rootClass(bytes: Uint8Array): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.byteLength < 512) return 0;
	const sectorBytes = view.getUint16(30, true) === 12 ? 4096 : 512;
	const at = (view.getUint32(48, true) + 1) * sectorBytes + 80;
	return at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;
}

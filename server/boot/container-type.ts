/** What is inside a ZIP or an OLE container, as far as its beginning and its name tell. */

import type { MediaType } from "../../core/model/media-type.ts";

const office = "application/vnd.openxmlformats-officedocument";

const zipEndings: Readonly<Record<string, MediaType>> = {
	docx: `${office}.wordprocessingml.document`,
	xlsx: `${office}.spreadsheetml.sheet`,
	pptx: `${office}.presentationml.presentation`,
	odt: "application/vnd.oasis.opendocument.text",
	ods: "application/vnd.oasis.opendocument.spreadsheet",
	odp: "application/vnd.oasis.opendocument.presentation",
	epub: "application/epub+zip",
};

/** Folders that each kind of office file has; the names of a ZIP's entries are not compressed. */
const zipFolders: readonly (readonly [folder: string, ending: string])[] = [
	["word/", "docx"],
	["xl/", "xlsx"],
	["ppt/", "pptx"],
];

const oleEndings: Readonly<Record<string, MediaType>> = {
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
const oleStreams: readonly (readonly [stream: string, ending: string])[] = [
	["WordDocument", "doc"],
	["Workbook", "xls"],
	["PowerPoint Document", "ppt"],
	["__properties_version1.0", "msg"],
];

export function zipType(head: Uint8Array, ending: string): MediaType {
	const names = new Set(entryNames(head));
	const found = zipFolders.find(([folder]) => [...names].some((name) => name.startsWith(folder)));
	return zipEndings[found?.[1] ?? ending] ?? "application/zip";
}

export function oleType(head: Uint8Array, ending: string): MediaType {
	const text = new TextDecoder("utf-16le").decode(head.subarray(0, head.length & ~1));
	const found = oleStreams.find(([stream]) => text.includes(stream));
	// Which kind of office file is encrypted cannot be told without the password: the name knows, and any extractor says so.
	const otherwise = ending in oleEndings || !text.includes("EncryptedPackage") ? ending : "docx";
	return oleEndings[found?.[1] ?? otherwise] ?? "application/x-cfb";
}

/** The names in the local headers (`PK\3\4`, the name's length at 26, the name at 30) that lie within the head. */
function entryNames(head: Uint8Array): readonly string[] {
	const names: string[] = [];
	const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
	for (let at = 0; at + 30 <= head.length; at += 1) {
		if (view.getUint32(at, true) !== 0x04034b50) continue;
		names.push(new TextDecoder("latin1").decode(head.subarray(at + 30, at + 30 + view.getUint16(at + 26, true))));
	}
	return names;
}

/** Files embedded in an Office file: workbooks in a report, and files inserted as an icon. */

import { type Attachment, ServiceError, type Warning } from "cairn-memory";
import { createAttachmentBasket } from "../blocks/attachment-basket.ts";
import { openCompoundFile, type Storage } from "../cfb/compound-file.ts";
import { orElse } from "../cfb/legacy-file.ts";
import type { OfficePackage } from "./package.ts";

/** Large reports have some dozens. */
const embeddedMax = 500;

const embedded = /^(?:word|xl|ppt)\/embeddings\/([^/]+)$/i;
const chart = /^(?:word|xl|ppt)\/charts\/[^/]+\.xml$/i;

/** Streams of an OLE file that contain a whole file. */
const packed = [
	["Package", ""],
	["CONTENTS", ".pdf"],
] as const;

/** Extensions of OLE files that are documents of Office before 2007. */
const documents = [
	["WordDocument", ".doc"],
	["Workbook", ".xls"],
	["Book", ".xls"],
	["PowerPoint Document", ".ppt"],
] as const;

/** Workbooks behind charts are left out, since a chart is read with its data. */
export function embeddedFiles(office: OfficePackage): readonly Attachment[] {
	const behindCharts = new Set(
		office.zip.names.filter((name) => chart.test(name)).flatMap((name) => [...office.relations(name).values()].map(({ target }) => target)),
	);
	const basket = createAttachmentBasket(office.warnings);
	for (const name of office.zip.names.filter((each) => embedded.test(each) && !behindCharts.has(each)).slice(0, embeddedMax)) {
		try {
			fileIn(name.slice(name.lastIndexOf("/") + 1), office.zip.read(name) ?? new Uint8Array()).forEach(basket.add);
		} catch (thrown) {
			if (!(thrown instanceof ServiceError)) throw thrown;
			office.warnings.push({ code: "PART_DAMAGED", message: `the embedded file ${name} was left out: ${thrown.words.join(" ")}` });
		}
	}
	return basket.attachments;
}

function fileIn(name: string, bytes: Uint8Array): readonly Attachment[] {
	const isOle = bytes[0] === 0xd0 && bytes[1] === 0xcf;
	if (!isOle) return bytes.byteLength === 0 ? [] : [attachmentOf(name, bytes)];
	const root = openCompoundFile(bytes);
	const stem = name.replace(/\.[^.]*$/, "");
	const inside = packedIn(root, stem);
	if (inside !== null) return [inside];
	const document = documents.find(([stream]) => root.streams.has(stream));
	// Objects of obsolete picture and formula editors.
	return document === undefined ? [] : [attachmentOf(`${stem}${document[1]}`, bytes)];
}

function attachmentOf(path: string, bytes: Uint8Array): Attachment {
	return { path, bytes, claimedMediaType: null };
}

/** The file inside of a storage; null when there is none. */
function packedIn(storage: Storage, stem: string): Attachment | null {
	for (const [stream, ending] of packed) {
		const content = storage.streams.get(stream);
		if (content !== undefined && content.byteLength > 0) return attachmentOf(`${stem}${ending}`, content);
	}
	const native = nativeFile(storage);
	return native === null ? null : attachmentOf(native.name || stem, native.content);
}

/** Files in the storages of a document or workbook of before 2007. */
export function packedFiles(storages: ReadonlyMap<string, Storage> | undefined): readonly Attachment[] {
	return [...(storages ?? [])].slice(0, embeddedMax).flatMap(([name, storage]) => packedIn(storage, name) ?? []);
}

/** OLE objects of a presentation from before 2007. Each is a file, or a storage with a file; damaged ones are left out. */
export function objectFiles(objects: Iterable<Uint8Array>, warnings: Warning[]): readonly Attachment[] {
	const basket = createAttachmentBasket(warnings);
	let count = 0;
	for (const object of objects) {
		if (++count > embeddedMax) break;
		orElse(() => fileIn(`object${count}.bin`, object), []).forEach(basket.add);
	}
	return basket.attachments;
}

/** Windows' `Ole10Native` stream: length, two bytes, the name, two paths, then the file. */
function nativeFile({ streams }: Storage): { readonly name: string; readonly content: Uint8Array } | null {
	const native = streams.get("\u0001Ole10Native");
	if (native === undefined) return null;
	const view = new DataView(native.buffer, native.byteOffset, native.byteLength);
	const text = (at: number) => {
		const end = native.indexOf(0, at);
		return end < 0 ? null : { said: Buffer.from(native.subarray(at, end)).toString("latin1"), next: end + 1 };
	};
	const label = text(6);
	const path = label === null ? null : text(label.next);
	const length = path === null ? 0 : path.next + 8 <= native.byteLength ? view.getUint32(path.next + 4, true) : 0;
	if (label === null || path === null) return null;
	const lengthAt = path.next + 8 + length;
	if (lengthAt + 4 > native.byteLength) return null;
	const start = lengthAt + 4;
	const content = native.subarray(start, Math.min(native.byteLength, start + view.getUint32(lengthAt, true)));
	return content.byteLength === 0 ? null : { name: label.said.replace(/^.*[\\/]/, ""), content };
}

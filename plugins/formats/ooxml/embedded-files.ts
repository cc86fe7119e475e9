/** Files embedded in an Office file: workbooks in a report, and files inserted as an icon. */

import { type Attachment, ServiceError, type Warning } from "cairn-memory";
import { createAttachmentBasket } from "../blocks/attachment-basket.ts";
import { openCompoundFile, type Storage } from "../cfb/compound-file.ts";
import { orElse } from "../cfb/legacy-file.ts";
import type { OfficePackage } from "./package.ts";

/** Large reports have some dozens of embedded files. */
const embeddedMax = 500;

const embeddedPath = /^(?:word|xl|ppt)\/embeddings\/([^/]+)$/i;
const chartPath = /^(?:word|xl|ppt)\/charts\/[^/]+\.xml$/i;

/** Streams of an OLE file that contain a whole file, with the file's extension. */
const fileStreams = [
	["Package", ""],
	["CONTENTS", ".pdf"],
] as const;

/** Streams of OLE files that are Office documents from before 2007, with the file's extension. */
const officeStreams = [
	["WordDocument", ".doc"],
	["Workbook", ".xls"],
	["Book", ".xls"],
	["PowerPoint Document", ".ppt"],
] as const;

/** The workbooks that charts are based on are left out, since a chart is read with its data. */
export function embeddedFiles(pkg: OfficePackage): readonly Attachment[] {
	const chartWorkbooks = new Set(
		pkg.zip.names.filter((name) => chartPath.test(name)).flatMap((name) => [...pkg.relationships(name).values()].map(({ target }) => target)),
	);
	const basket = createAttachmentBasket(pkg.warnings);
	for (const name of pkg.zip.names.filter((each) => embeddedPath.test(each) && !chartWorkbooks.has(each)).slice(0, embeddedMax)) {
		try {
			fileIn(name.slice(name.lastIndexOf("/") + 1), pkg.zip.read(name) ?? new Uint8Array()).forEach(basket.add);
		} catch (thrown) {
			if (!(thrown instanceof ServiceError)) throw thrown;
			pkg.warnings.push({ code: "PART_DAMAGED", message: `the embedded file ${name} was left out: ${thrown.args.join(" ")}` });
		}
	}
	return basket.attachments;
}

function fileIn(name: string, bytes: Uint8Array): readonly Attachment[] {
	const isOle = bytes[0] === 0xd0 && bytes[1] === 0xcf;
	if (!isOle) return bytes.byteLength === 0 ? [] : [attachmentOf(name, bytes)];
	const root = openCompoundFile(bytes);
	const stem = name.replace(/\.[^.]*$/, "");
	const packedFile = fileInStorage(root, stem);
	if (packedFile !== null) return [packedFile];
	const document = officeStreams.find(([stream]) => root.streams.has(stream));
	// Without a known stream it is an object of an obsolete picture or formula editor.
	return document === undefined ? [] : [attachmentOf(`${stem}${document[1]}`, bytes)];
}

function attachmentOf(path: string, bytes: Uint8Array): Attachment {
	return { path, bytes, claimedMediaType: null };
}

/** The file inside an OLE storage; null if there is none. */
function fileInStorage(storage: Storage, stem: string): Attachment | null {
	for (const [stream, extension] of fileStreams) {
		const content = storage.streams.get(stream);
		if (content !== undefined && content.byteLength > 0) return attachmentOf(`${stem}${extension}`, content);
	}
	const native = nativeFile(storage);
	return native === null ? null : attachmentOf(native.name || stem, native.content);
}

/** Files in the storages of a document or workbook from before 2007. */
export function packedFiles(storages: ReadonlyMap<string, Storage> | undefined): readonly Attachment[] {
	return [...(storages ?? [])].slice(0, embeddedMax).flatMap(([name, storage]) => fileInStorage(storage, name) ?? []);
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
	const text = (offset: number) => {
		const end = native.indexOf(0, offset);
		return end < 0 ? null : { text: Buffer.from(native.subarray(offset, end)).toString("latin1"), next: end + 1 };
	};
	const label = text(6);
	const path = label === null ? null : text(label.next);
	const length = path === null ? 0 : path.next + 8 <= native.byteLength ? view.getUint32(path.next + 4, true) : 0;
	if (label === null || path === null) return null;
	const lengthOffset = path.next + 8 + length;
	if (lengthOffset + 4 > native.byteLength) return null;
	const start = lengthOffset + 4;
	const content = native.subarray(start, Math.min(native.byteLength, start + view.getUint32(lengthOffset, true)));
	return content.byteLength === 0 ? null : { name: label.text.replace(/^.*[\\/]/, ""), content };
}

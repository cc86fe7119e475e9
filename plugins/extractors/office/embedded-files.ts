/** Documents that lie inside of an Office file as files: workbooks in a report, anything that was packed into an icon. */

import { type Member, ServiceError } from "cairn";
import { openCompoundFile, type Storage } from "../compound-file.ts";
import type { OfficePackage } from "./package.ts";

/** Reports have some dozens. */
const embeddedMax = 500;

const embedded = /^(?:word|xl|ppt)\/embeddings\/([^/]+)$/i;
const chart = /^(?:word|xl|ppt)\/charts\/[^/]+\.xml$/i;

/** What lies in an OLE file under these names is a file of its own. */
const packed = [
	["Package", ""],
	["CONTENTS", ".pdf"],
] as const;

/** OLE files that are documents themselves, as programs of before 2007 wrote them. */
const documents = [
	["WordDocument", ".doc"],
	["Workbook", ".xls"],
	["Book", ".xls"],
	["PowerPoint Document", ".ppt"],
] as const;

/** The numbers behind a chart are no document: the chart is read with its values. */
export function embeddedFiles(office: OfficePackage): readonly Member[] {
	const behindCharts = new Set(
		office.zip.names.filter((name) => chart.test(name)).flatMap((name) => [...office.relations(name).values()].map(({ target }) => target)),
	);
	const names = office.zip.names.filter((name) => embedded.test(name) && !behindCharts.has(name));
	return names.slice(0, embeddedMax).flatMap((name) => {
		try {
			return fileIn(name.slice(name.lastIndexOf("/") + 1), office.zip.read(name) ?? new Uint8Array());
		} catch (thrown) {
			if (!(thrown instanceof ServiceError)) throw thrown;
			office.remarks.push({ code: "PART_DAMAGED", message: `the embedded file ${name} was left out: ${thrown.words.join(" ")}` });
			return [];
		}
	});
}

function fileIn(name: string, bytes: Uint8Array): readonly Member[] {
	const isOle = bytes[0] === 0xd0 && bytes[1] === 0xcf;
	if (!isOle) return bytes.byteLength === 0 ? [] : [{ path: name, bytes: bytes.slice(), claimedMediaType: null }];
	const root = openCompoundFile(bytes);
	const stem = name.replace(/\.[^.]*$/, "");
	const member = (path: string, content: Uint8Array): Member => ({ path, bytes: content.slice(), claimedMediaType: null });
	for (const [stream, ending] of packed) {
		const content = root.streams.get(stream);
		if (content !== undefined) return [member(`${stem}${ending}`, content)];
	}
	const native = nativeFile(root);
	if (native !== null) return [member(native.name || stem, native.content)];
	const document = documents.find(([stream]) => root.streams.has(stream));
	// Pictures and formulas of programs that nobody has any more.
	return document === undefined ? [] : [member(`${stem}${document[1]}`, bytes)];
}

/** Any file, as Windows packs it: length, two bytes, its name, where it was, twice; then its bytes. */
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

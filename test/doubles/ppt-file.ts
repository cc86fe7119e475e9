/** Presentations of PowerPoint 97 made for tests. */

import { deflateSync } from "node:zlib";
import { compoundOf, type Node, streamNode } from "./compound-file.ts";

export interface PptSlideParts {
	readonly title?: string;
	/** With the level of each line. */
	readonly body?: readonly (readonly [text: string, level: number])[];
	readonly box?: string;
	readonly foot?: string;
	readonly table?: readonly (readonly string[])[];
	readonly notes?: string;
	readonly comment?: { readonly author: string; readonly text: string };
	readonly isHidden?: boolean;
}

const container = 15;

/** @param objects embedded OLE files, packed as PowerPoint does. */
export function pptOf(slides: readonly PptSlideParts[], isEncrypted = false, objects: readonly Uint8Array[] = []): Uint8Array {
	const parts = slides.flatMap((slide, index) => [slideRecord(slide, index), ...(slide.notes === undefined ? [] : [notesRecord(slide.notes)])]);
	const notesOf = (index: number) => slides.slice(0, index).filter(({ notes }) => notes !== undefined).length;
	const slideNumbers = slides.map((_, index) => 2 + index + notesOf(index));
	const listed = slides.map((slide, index) => [slidePersist(slideNumbers[index] ?? 0, 256 + index), ...outlined(slide)]);
	const noted = slides.flatMap(({ notes }, index) => (notes === undefined ? [] : [slidePersist((slideNumbers[index] ?? 0) + 1, 512 + index)]));
	const document = record(
		1000,
		container,
		Buffer.concat([record(0x0ff0, container, Buffer.concat(listed.flat())), record(0x0ff0, container + (2 << 4), Buffer.concat(noted))]),
	);
	const stored = [document, ...parts, ...objects.map((object) => record(0x1011, 1 << 4, Buffer.concat([long(object.length), deflateSync(object)])))];
	let at = 0;
	const places = stored.map((part) => {
		at += part.length;
		return at - part.length;
	});
	const directory = record(0x1772, 0, Buffer.concat([long((stored.length << 20) | 1), ...places.map(long)]));
	const edit = record(0x0ff5, 0, Buffer.concat([long(0), long(0), long(0), long(at), long(1), long(0), long(0)]));
	const user = Buffer.concat([Buffer.alloc(8), long(20), long(isEncrypted ? 0xf3d1c4df : 0xe391c05f), long(at + directory.length), Buffer.alloc(8)]);
	const streams: readonly Node[] = [streamNode("PowerPoint Document", Buffer.concat([...stored, directory, edit])), streamNode("Current User", user)];
	return compoundOf(streams);
}

function slideRecord({ title, body, box, foot, table, comment, notes, isHidden = false }: PptSlideParts, index: number): Buffer {
	const atom = Buffer.alloc(24);
	if (notes !== undefined) atom.writeUInt32LE(512 + index, 16);
	const show = Buffer.alloc(16);
	show.writeUInt16LE(isHidden ? 4 : 0, 10);
	const shapes = [
		...(title === undefined ? [] : [shape(record(0x0f9e, 0, long(0)))]),
		...(body === undefined ? [] : [shape(record(0x0f9e, 0, long(title === undefined ? 0 : 1)))]),
		...(box === undefined ? [] : [shape(text(4, box))]),
		...(foot === undefined ? [] : [shape(text(4, foot), record(0xf011, container, record(0x0bc3, 0, Buffer.from([0, 0, 0, 0, 9, 0, 0, 0]))))]),
		...(table === undefined ? [] : [tableGroup(table)]),
	];
	const said = comment === undefined ? [] : [record(0x2ee0, container, Buffer.concat([wide(0, comment.author), wide(1, comment.text)]))];
	const drawing = record(0x040c, container, record(0xf002, container, record(0xf003, container, Buffer.concat(shapes))));
	return record(1006, container, Buffer.concat([record(1007, 2, atom), record(1017, 0, show), drawing, record(0x1388, container, Buffer.concat(said))]));
}

function notesRecord(words: string): Buffer {
	return record(1008, container, record(0x040c, container, record(0xf002, container, record(0xf003, container, shape(text(2, words))))));
}

function outlined({ title, body }: PptSlideParts): readonly Buffer[] {
	const lines = body ?? [];
	const looks = lines.map(([line, level]) => Buffer.concat([long(line.length + 1), Buffer.from(Uint16Array.of(level).buffer), long(0)]));
	return [
		...(title === undefined ? [] : [text(0, title)]),
		...(body === undefined ? [] : [text(1, lines.map(([line]) => line).join("\r")), record(0x0fa1, 0, Buffer.concat(looks))]),
	];
}

function tableGroup(rows: readonly (readonly string[])[]): Buffer {
	const frame = record(0xf004, container, record(0xf122, 3 + (1 << 4), Buffer.concat([Buffer.from(Uint16Array.of(0x039f).buffer), long(1)])));
	const cells = rows.flatMap((row, y) =>
		row.map((cell, x) => shape(text(4, cell), record(0xf00f, 0, Buffer.concat([long(x * 100), long(y * 50), long(x * 100 + 100), long(y * 50 + 50)])))),
	);
	return record(0xf003, container, Buffer.concat([frame, ...cells]));
}

function shape(words: Buffer, ...more: readonly Buffer[]): Buffer {
	return record(0xf004, container, Buffer.concat([...more, record(0xf00d, 0, words)]));
}

function text(kind: number, words: string): Buffer {
	const isLatin = /^[\0-\u007f]*$/.test(words);
	return Buffer.concat([
		record(0x0f9f, 0, long(kind)),
		isLatin ? record(0x0fa8, 0, Buffer.from(words, "latin1")) : record(0x0fa0, 0, Buffer.from(words, "utf16le")),
	]);
}

function wide(instance: number, words: string): Buffer {
	return record(0x0fba, instance << 4, Buffer.from(words, "utf16le"));
}

function slidePersist(reference: number, id: number): Buffer {
	return record(0x03f3, 0, Buffer.concat([long(reference), long(0), long(0), long(id), long(0)]));
}

function record(type: number, head: number, data: Buffer): Buffer {
	const start = Buffer.alloc(8);
	start.writeUInt16LE(head, 0);
	start.writeUInt16LE(type, 2);
	start.writeUInt32LE(data.length, 4);
	return Buffer.concat([start, data]);
}

function long(value: number): Buffer {
	return Buffer.from(Int32Array.of(value | 0).buffer);
}

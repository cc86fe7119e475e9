/** Reads the formatting of stretches of a Word file: pages of 512 bytes (FKP), each with a list of positions and properties. */

import type { Script } from "../../blocks/scripted-text.ts";
import type { DocHeader } from "./file-header.ts";
import { tableIds } from "./file-header.ts";

/** A property (SPRM): its code and its value. */
export interface Setting {
	readonly code: number;
	readonly value: Buffer;
}

export interface Formatting {
	/** The style it is based on; 0 for characters. */
	readonly style: number;
	readonly settings: readonly Setting[];
}

/** Returns the formatting at a file offset; null if there is none. */
export type FormattingAt = (offset: number) => Formatting | null;

const codes = { deleted: 0x0800, bold: 0x0835, italic: 0x0836, hidden: 0x083c, script: 0x2a48 } as const;
const pageBytes = 512;
/** A file of 50 MB has about a hundred thousand pages. */
const pagesMax = 200_000;

/** A range of the file and its formatting. */
export interface Stretch {
	readonly from: number;
	readonly to: number;
	readonly formatting: () => Formatting;
}

export function paragraphFormatting(main: Buffer, header: DocHeader): FormattingAt {
	const stretches = stretchesOf(main, header, tableIds.paragraphs, header.isBeforeWord97 ? 7 : 13, (page, offset) => {
		let position = offset * 2;
		let length = page.readUInt8(position) * 2 - 1;
		if (header.isBeforeWord97) length = page.readUInt8(position) * 2;
		else if (length < 0) {
			position += 1;
			length = page.readUInt8(position) * 2;
		}
		const data = page.subarray(position + 1, position + 1 + Math.max(2, length));
		return header.isBeforeWord97 ? { style: data.readUInt8(0), settings: [] } : { style: data.readUInt16LE(0), settings: settingsIn(data.subarray(2)) };
	});
	return lookUp(stretches);
}

/** Character formatting that is kept in the text. */
export interface Marks {
	/** Whether the text is a tracked deletion, or hidden. */
	readonly isRemoved: boolean;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	readonly script: Script | null;
}

const noMarks: Marks = { isRemoved: false, isBold: false, isItalic: false, script: null };
const scripts: readonly (Script | null)[] = [null, "above", "below"];

const on = 1;
/** A toggle, which means the opposite of the style's value. Few styles set the property, so it counts as on. */
const oppositeOfStyle = 0x81;

function isOn(value: number | null): boolean {
	return value === on || value === oppositeOfStyle;
}

/** Returns a function for the character formatting at a file offset. It is called in order, so the stretch of the last call is tried first. */
export function characterMarks(main: Buffer, header: DocHeader): (offset: number) => Marks {
	// Word 6 and 95 have other codes for properties, which are not supported.
	if (header.isBeforeWord97) return () => noMarks;
	const stretches = stretchesOf(main, header, tableIds.characters, 1, (page, offset) => {
		const position = offset * 2;
		return { style: 0, settings: offset === 0 ? [] : settingsIn(page.subarray(position + 1, position + 1 + page.readUInt8(position))) };
	});
	let last = { from: 0, to: 0, marks: noMarks };
	return (offset) => {
		if (offset >= last.from && offset < last.to) return last.marks;
		const stretch = stretches[lastStartingBefore(stretches, offset)];
		if (stretch === undefined || offset < stretch.from || offset >= stretch.to) return noMarks;
		const { settings } = stretch.formatting();
		const isSet = (code: number) => isOn(numberIn(settings, code));
		last = {
			from: stretch.from,
			to: stretch.to,
			marks: {
				isRemoved: isSet(codes.deleted) || isSet(codes.hidden),
				isBold: isSet(codes.bold),
				isItalic: isSet(codes.italic),
				script: scripts[numberIn(settings, codes.script) ?? 0] ?? null,
			},
		};
		return last.marks;
	};
}

function lookUp(stretches: readonly Stretch[]): FormattingAt {
	return (offset) => {
		const stretch = stretches[lastStartingBefore(stretches, offset)];
		return stretch === undefined || offset < stretch.from || offset >= stretch.to ? null : stretch.formatting();
	};
}

function lastStartingBefore(stretches: readonly Stretch[], offset: number): number {
	let [low, high] = [0, stretches.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((stretches[middle]?.from ?? 0) <= offset) low = middle;
		else high = middle - 1;
	}
	return low;
}

function stretchesOf(
	main: Buffer,
	header: DocHeader,
	tableNumber: number,
	entryBytes: number,
	readFormatting: (page: Buffer, offset: number) => Formatting,
): readonly Stretch[] {
	const table = header.table(tableNumber);
	if (table === null) return [];
	const numberBytes = header.isBeforeWord97 ? 2 : 4;
	const count = Math.min(pagesMax, Math.floor((table.length - 4) / (4 + numberBytes)));
	const stretches: Stretch[] = [];
	const seen = new Set<number>();
	for (let index = 0; index < count; index++) {
		const position = (count + 1) * 4 + index * numberBytes;
		const pageNumber = header.isBeforeWord97 ? table.readUInt16LE(position) : table.readUInt32LE(position) & 0x3fffff;
		const page = main.subarray(pageNumber * pageBytes, (pageNumber + 1) * pageBytes);
		if (page.length < pageBytes || seen.has(pageNumber)) continue;
		seen.add(pageNumber);
		const runs = page.readUInt8(pageBytes - 1);
		for (let run = 0; run < runs && (runs + 1) * 4 + run * entryBytes < pageBytes; run++) {
			const offset = page.readUInt8((runs + 1) * 4 + run * entryBytes);
			stretches.push({ from: page.readUInt32LE(run * 4), to: page.readUInt32LE(run * 4 + 4), formatting: () => readFormatting(page, offset) });
		}
	}
	return stretches.sort((first, second) => first.from - second.from);
}

/** The length of a value in bytes, by the highest three bits of its code. 0 means that a length byte precedes the value. */
const valueBytes = [1, 1, 2, 4, 2, 2, 0, 3] as const;
/** The property whose length field has two bytes. */
const tableShape = 0xd608;
const tabStops = 0xc615;

export function settingsIn(data: Buffer): readonly Setting[] {
	const settings: Setting[] = [];
	for (let position = 0; position + 3 <= data.length; ) {
		const code = data.readUInt16LE(position);
		position += 2;
		let length: number = valueBytes[(code >> 13) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7];
		if (code === tableShape && position + 2 <= data.length) {
			length = data.readUInt16LE(position) - 1;
			position += 2;
		} else if (length === 0) {
			length = data.readUInt8(position);
			position += 1;
			if (code === tabStops && length === 255) break; // longer than its length byte can express, and not needed
		}
		if (length < 0) break;
		settings.push({ code, value: data.subarray(position, position + length) });
		position += length;
	}
	return settings;
}

/** The value of a property. The last occurrence counts; null if there is none. */
export function numberIn(settings: readonly Setting[], code: number): number | null {
	const value = settings.findLast((setting) => setting.code === code)?.value;
	if (value === undefined || value.length === 0) return null;
	return value.length === 1 ? value.readUInt8(0) : value.length < 4 ? value.readUInt16LE(0) : value.readUInt32LE(0);
}

/** Formatting of stretches of a Word file: pages of 512 bytes (FKP), each with a list of positions and properties. */

import type { Script } from "../../blocks/scripted-text.ts";
import type { DocHead } from "./file-header.ts";
import { tableNumbers } from "./file-header.ts";

/** One property (SPRM): its code and its value. */
export interface Setting {
	readonly code: number;
	readonly value: Buffer;
}

export interface Formatting {
	/** The style it is based on; 0 for characters. */
	readonly style: number;
	readonly settings: readonly Setting[];
}

/** The formatting at a file offset; null when there is none. */
export type FormattingAt = (place: number) => Formatting | null;

const codes = { deleted: 0x0800, bold: 0x0835, italic: 0x0836, hidden: 0x083c, script: 0x2a48 } as const;
const pageBytes = 512;
/** A file of 50 MB has a hundred thousand pages. */
const pagesMax = 200_000;

/** A range of the file and its formatting. */
export interface Stretch {
	readonly from: number;
	readonly to: number;
	readonly formatting: () => Formatting;
}

export function paragraphFormatting(main: Buffer, head: DocHead): FormattingAt {
	const stretches = stretchesOf(main, head, tableNumbers.paragraphs, head.isOld ? 7 : 13, (page, offset) => {
		let at = offset * 2;
		let length = page.readUInt8(at) * 2 - 1;
		if (head.isOld) length = page.readUInt8(at) * 2;
		else if (length < 0) {
			at += 1;
			length = page.readUInt8(at) * 2;
		}
		const data = page.subarray(at + 1, at + 1 + Math.max(2, length));
		return head.isOld ? { style: data.readUInt8(0), settings: [] } : { style: data.readUInt16LE(0), settings: settingsIn(data.subarray(2)) };
	});
	return formattingsOf(stretches);
}

/** Character formatting that is kept in the text. */
export interface Marks {
	/** A tracked deletion, or hidden text. */
	readonly isGone: boolean;
	readonly isBold: boolean;
	readonly isItalic: boolean;
	readonly script: Script | null;
}

const plain: Marks = { isGone: false, isBold: false, isItalic: false, script: null };
const scripts: readonly (Script | null)[] = [null, "above", "below"];

const on = 1;
/** A toggle: the opposite of the style. Few styles set it, so it counts as on. */
const turned = 0x81;

function isOn(value: number | null): boolean {
	return value === on || value === turned;
}

/** The character formatting at a file offset. Offsets are asked for in order, so the last page is tried first. */
export function characterMarks(main: Buffer, head: DocHead): (place: number) => Marks {
	// Properties of old files have other codes.
	if (head.isOld) return () => plain;
	const stretches = stretchesOf(main, head, tableNumbers.characters, 1, (page, offset) => {
		const at = offset * 2;
		return { style: 0, settings: offset === 0 ? [] : settingsIn(page.subarray(at + 1, at + 1 + page.readUInt8(at))) };
	});
	let last = { from: 0, to: 0, marks: plain };
	return (place) => {
		if (place >= last.from && place < last.to) return last.marks;
		const found = stretches[lastBefore(stretches, place)];
		if (found === undefined || place < found.from || place >= found.to) return plain;
		const { settings } = found.formatting();
		const isSet = (code: number) => isOn(numberIn(settings, code));
		last = {
			from: found.from,
			to: found.to,
			marks: {
				isGone: isSet(codes.deleted) || isSet(codes.hidden),
				isBold: isSet(codes.bold),
				isItalic: isSet(codes.italic),
				script: scripts[numberIn(settings, codes.script) ?? 0] ?? null,
			},
		};
		return last.marks;
	};
}

function formattingsOf(stretches: readonly Stretch[]): FormattingAt {
	return (place) => {
		const found = stretches[lastBefore(stretches, place)];
		return found === undefined || place < found.from || place >= found.to ? null : found.formatting();
	};
}

function lastBefore(stretches: readonly Stretch[], place: number): number {
	let [low, high] = [0, stretches.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((stretches[middle]?.from ?? 0) <= place) low = middle;
		else high = middle - 1;
	}
	return low;
}

function stretchesOf(
	main: Buffer,
	head: DocHead,
	tableNumber: number,
	entryBytes: number,
	read: (page: Buffer, offset: number) => Formatting,
): readonly Stretch[] {
	const table = head.table(tableNumber);
	if (table === null) return [];
	const width = head.isOld ? 2 : 4;
	const count = Math.min(pagesMax, Math.floor((table.length - 4) / (4 + width)));
	const stretches: Stretch[] = [];
	const seen = new Set<number>();
	for (let index = 0; index < count; index++) {
		const at = (count + 1) * 4 + index * width;
		const number = head.isOld ? table.readUInt16LE(at) : table.readUInt32LE(at) & 0x3fffff;
		const page = main.subarray(number * pageBytes, (number + 1) * pageBytes);
		if (page.length < pageBytes || seen.has(number)) continue;
		seen.add(number);
		const runs = page.readUInt8(pageBytes - 1);
		for (let run = 0; run < runs && (runs + 1) * 4 + run * entryBytes < pageBytes; run++) {
			const offset = page.readUInt8((runs + 1) * 4 + run * entryBytes);
			stretches.push({ from: page.readUInt32LE(run * 4), to: page.readUInt32LE(run * 4 + 4), formatting: () => read(page, offset) });
		}
	}
	return stretches.sort((one, other) => one.from - other.from);
}

/** The length of a value, by three bits of its code; 0 where a length byte precedes it. */
const valueBytes = [1, 1, 2, 4, 2, 2, 0, 3] as const;
/** The property whose length takes two bytes. */
const tableShape = 0xd608;
const tabStops = 0xc615;

export function settingsIn(data: Buffer): readonly Setting[] {
	const settings: Setting[] = [];
	for (let at = 0; at + 3 <= data.length; ) {
		const code = data.readUInt16LE(at);
		at += 2;
		let length: number = valueBytes[(code >> 13) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7];
		if (code === tableShape && at + 2 <= data.length) {
			length = data.readUInt16LE(at) - 1;
			at += 2;
		} else if (length === 0) {
			length = data.readUInt8(at);
			at += 1;
			if (code === tabStops && length === 255) break; // longer than its length byte can express, and not needed
		}
		if (length < 0) break;
		settings.push({ code, value: data.subarray(at, at + length) });
		at += length;
	}
	return settings;
}

/** The last occurrence wins; null when it is not set. */
export function numberIn(settings: readonly Setting[], code: number): number | null {
	const value = settings.findLast((setting) => setting.code === code)?.value;
	if (value === undefined || value.length === 0) return null;
	return value.length === 1 ? value.readUInt8(0) : value.length < 4 ? value.readUInt16LE(0) : value.readUInt32LE(0);
}

/** The text of a shape: lines with list level and marker. */

import { type PptRecord, recordsIn, types } from "./records.ts";

export interface PptLine {
	readonly text: string;
	readonly level: number;
	readonly isItem: boolean;
}

export interface PptText {
	/** The text type: 0 and 6 are titles, 2 notes, 1, 7 and 8 bodies with bullets. */
	readonly kind: number;
	readonly lines: readonly PptLine[];
}

const bulleted = new Set([1, 7, 8]);
const other = 4;
const levelMax = 4;

/** Each text is a header with its type, the characters, then their formatting. */
export function textsIn(data: Buffer): readonly PptText[] {
	const texts: PptText[] = [];
	let kind: number | null = null;
	let characters: string | null = null;
	let styles: PptRecord | null = null;
	const close = () => {
		if (kind !== null || characters !== null) texts.push({ kind: kind ?? other, lines: linesOf(characters ?? "", kind ?? other, styles) });
		characters = null;
		styles = null;
	};
	for (const record of recordsIn(data)) {
		if (record.type === types.textHeader) {
			close();
			kind = record.data.readUInt32LE(0);
		} else if (record.type === types.textCharacters) characters = record.data.toString("utf16le");
		else if (record.type === types.textBytes) characters = record.data.toString("latin1");
		else if (record.type === types.textStyles) styles = record;
	}
	close();
	return texts;
}

function linesOf(characters: string, kind: number, styles: PptRecord | null): readonly PptLine[] {
	const formattings = styles === null ? [] : formattingsOf(styles.data, characters.length + 1);
	const lines: PptLine[] = [];
	let at = 0;
	let formatting = 0;
	let end = formattings[0]?.length ?? 0;
	for (const paragraph of characters.split("\r")) {
		while (formatting + 1 < formattings.length && at >= end) end += formattings[++formatting]?.length ?? 0;
		at += paragraph.length + 1;
		const { level = 0, hasBullet = null } = formattings[formatting] ?? {};
		const text = paragraph
			.replaceAll("\v", "\n")
			.replace(/[^\P{Cc}\n\t]/gu, "")
			.trim();
		if (text !== "") lines.push({ text: text.toWellFormed(), level: Math.min(level, levelMax), isItem: hasBullet ?? bulleted.has(kind) });
	}
	return lines;
}

interface Formatting {
	/** The number of characters it applies to. */
	readonly length: number;
	readonly level: number;
	/** Null when it is inherited from the master. */
	readonly hasBullet: boolean | null;
}

/** Bits of the mask and the length of the field that each adds, in order. */
const after: readonly (readonly [mask: number, bytes: number])[] = [
	[0x80, 2],
	[0x10, 2],
	[0x40, 2],
	[0x20, 4],
	[0x800, 2],
	[0x1000, 2],
	[0x2000, 2],
	[0x4000, 2],
	[0x100, 2],
	[0x400, 2],
	[0x8000, 2],
];
const tabStops = 0x100000;
const afterTabs: readonly (readonly [mask: number, bytes: number])[] = [
	[0x10000, 2],
	[0xe0000, 2],
	[0x200000, 2],
];

function formattingsOf(data: Buffer, length: number): readonly Formatting[] {
	const formattings: Formatting[] = [];
	let at = 0;
	for (let covered = 0; covered < length && at + 10 <= data.length; ) {
		const count = data.readUInt32LE(at);
		const level = data.readUInt16LE(at + 4);
		const mask = data.readUInt32LE(at + 6);
		at += 10;
		const saysBullet = (mask & 1) !== 0 && at + 2 <= data.length;
		formattings.push({ length: count, level, hasBullet: saysBullet ? (data.readUInt16LE(at) & 1) !== 0 : null });
		if ((mask & 0xf) !== 0) at += 2;
		for (const [bits, bytes] of after) if ((mask & bits) !== 0) at += bytes;
		if ((mask & tabStops) !== 0) at += at + 2 <= data.length ? 2 + 4 * data.readUInt16LE(at) : 2;
		for (const [bits, bytes] of afterTabs) if ((mask & bits) !== 0) at += bytes;
		if (count === 0) break;
		covered += count;
	}
	return formattings;
}

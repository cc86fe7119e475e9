/** Reads the text of a shape: lines with their list level. */

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

const bulletedKinds = new Set([1, 7, 8]);
const otherKind = 4;
const levelMax = 4;

/** Reads texts. Each one is stored as a header with its type, the characters, then their formatting. */
export function textsIn(data: Buffer): readonly PptText[] {
	const texts: PptText[] = [];
	let kind: number | null = null;
	let characters: string | null = null;
	let styles: PptRecord | null = null;
	const endText = () => {
		if (kind !== null || characters !== null) texts.push({ kind: kind ?? otherKind, lines: linesOf(characters ?? "", kind ?? otherKind, styles) });
		characters = null;
		styles = null;
	};
	for (const record of recordsIn(data)) {
		if (record.type === types.textHeader) {
			endText();
			kind = record.data.readUInt32LE(0);
		} else if (record.type === types.textCharacters) characters = record.data.toString("utf16le");
		else if (record.type === types.textBytes) characters = record.data.toString("latin1");
		else if (record.type === types.textStyles) styles = record;
	}
	endText();
	return texts;
}

function linesOf(characters: string, kind: number, styles: PptRecord | null): readonly PptLine[] {
	const formattings = styles === null ? [] : formattingsOf(styles.data, characters.length + 1);
	const lines: PptLine[] = [];
	let offset = 0;
	let formatting = 0;
	let end = formattings[0]?.length ?? 0;
	for (const paragraph of characters.split("\r")) {
		while (formatting + 1 < formattings.length && offset >= end) end += formattings[++formatting]?.length ?? 0;
		offset += paragraph.length + 1;
		const { level = 0, hasBullet = null } = formattings[formatting] ?? {};
		const text = paragraph
			.replaceAll("\v", "\n")
			.replace(/[^\P{Cc}\n\t]/gu, "")
			.trim();
		if (text !== "") lines.push({ text: text.toWellFormed(), level: Math.min(level, levelMax), isItem: hasBullet ?? bulletedKinds.has(kind) });
	}
	return lines;
}

interface Formatting {
	/** The number of characters it applies to. */
	readonly length: number;
	readonly level: number;
	/** Null if it is inherited from the master. */
	readonly hasBullet: boolean | null;
}

/** Bits of the mask with the length in bytes of the field that each bit adds, in the order of the fields. */
const fieldsBeforeTabs: readonly (readonly [mask: number, bytes: number])[] = [
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
const fieldsAfterTabs: readonly (readonly [mask: number, bytes: number])[] = [
	[0x10000, 2],
	[0xe0000, 2],
	[0x200000, 2],
];

function formattingsOf(data: Buffer, length: number): readonly Formatting[] {
	const formattings: Formatting[] = [];
	let offset = 0;
	for (let covered = 0; covered < length && offset + 10 <= data.length; ) {
		const count = data.readUInt32LE(offset);
		const level = data.readUInt16LE(offset + 4);
		const mask = data.readUInt32LE(offset + 6);
		offset += 10;
		const hasBulletFlags = (mask & 1) !== 0 && offset + 2 <= data.length;
		formattings.push({ length: count, level, hasBullet: hasBulletFlags ? (data.readUInt16LE(offset) & 1) !== 0 : null });
		if ((mask & 0xf) !== 0) offset += 2;
		for (const [bits, bytes] of fieldsBeforeTabs) if ((mask & bits) !== 0) offset += bytes;
		if ((mask & tabStops) !== 0) offset += offset + 2 <= data.length ? 2 + 4 * data.readUInt16LE(offset) : 2;
		for (const [bits, bytes] of fieldsAfterTabs) if ((mask & bits) !== 0) offset += bytes;
		if (count === 0) break;
		covered += count;
	}
	return formattings;
}

/** Numbering of lists in a Word file. */

import { countedAs } from "../../blocks/counted-as.ts";
import type { DocHead } from "./file-header.ts";
import { tableNumbers } from "./file-header.ts";

/** The next marker of a list at a level; empty for a bullet. Every call advances the count. */
export type Marker = (list: number, level: number) => string;

interface Level {
	readonly start: number;
	readonly format: string;
	/** Level numbers (characters 0 to 8) are placeholders for the counts. */
	readonly text: string;
}

const levels = 9;
const listsMax = 5_000;
const formats = ["decimal", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter"] as const;
const bullet = 23;
const nothing = 255;

export function readLists(head: DocHead): Marker {
	const definitions = head.isOld ? new Map<number, readonly Level[]>() : definitionsOf(head);
	const uses = head.isOld ? [] : usesOf(head.table(tableNumbers.listUses));
	const counts = new Map<number, number[]>();
	return (list, level) => {
		const identity = uses[list - 1] ?? -1;
		const defined = definitions.get(identity);
		const own = defined?.[level];
		if (own === undefined || own.format === "" || own.text === "") return "";
		const counted = counts.get(identity) ?? [];
		counts.set(identity, counted);
		counted.length = Math.min(counted.length, level + 1);
		counted[level] = (counted[level] ?? own.start - 1) + 1;
		return [...own.text].map((sign) => shown(sign.charCodeAt(0), defined, counted) ?? sign).join("");
	};
}

/** The count for a level placeholder; null for any other character. */
function shown(sign: number, defined: readonly Level[] | undefined, counted: readonly number[]): string | null {
	if (sign >= levels) return null;
	const level = defined?.[sign];
	return level === undefined ? "" : countedAs(level.format, counted[sign] ?? level.start);
}

/** The list definitions are followed by their levels, one or nine for each. */
function definitionsOf(head: DocHead): ReadonlyMap<number, readonly Level[]> {
	const list = head.table(tableNumbers.lists);
	const definitions = new Map<number, readonly Level[]>();
	if (list === null || list.length < 2) return definitions;
	const count = Math.min(listsMax, list.readUInt16LE(0), Math.floor((list.length - 2) / 28));
	// The levels come after the end of the table.
	const rest = head.tables.subarray(list.byteOffset - head.tables.byteOffset + 2 + count * 28);
	let at = 0;
	for (let index = 0; index < count; index++) {
		const place = 2 + index * 28;
		const isSimple = (list.readUInt8(place + 26) & 1) !== 0;
		const own: Level[] = [];
		for (let level = 0; level < (isSimple ? 1 : levels) && at + 28 <= rest.length; level++) {
			const kind = rest.readUInt8(at + 4);
			const textAt = at + 28 + rest.readUInt8(at + 24) + rest.readUInt8(at + 25);
			if (textAt + 2 > rest.length) return definitions;
			const length = rest.readUInt16LE(textAt);
			const format = kind === bullet || kind === nothing ? "" : (formats[kind] ?? "decimal");
			own.push({ start: rest.readUInt32LE(at), format, text: rest.toString("utf16le", textAt + 2, Math.min(rest.length, textAt + 2 + length * 2)) });
			at = textAt + 2 + length * 2;
		}
		definitions.set(list.readInt32LE(place), own);
	}
	return definitions;
}

/** The list definition of each list override. */
function usesOf(table: Buffer | null): readonly number[] {
	if (table === null || table.length < 4) return [];
	const count = Math.min(listsMax, table.readUInt32LE(0), Math.floor((table.length - 4) / 16));
	return Array.from({ length: count }, (_, index) => table.readInt32LE(4 + index * 16));
}

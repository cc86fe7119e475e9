/** Computes the numbers of list items in a Word file. */

import { formatListNumber } from "../../blocks/format-list-number.ts";
import type { DocHeader } from "./file-header.ts";
import { tableIds } from "./file-header.ts";

/** Returns the next marker of a list at a level, such as `3.`; empty for a bullet. Every call advances the counter. */
export type NextMarker = (list: number, level: number) => string;

interface Level {
	readonly start: number;
	readonly format: string;
	/** The template of the marker. The characters with the codes 0 to 8 are placeholders for the number at that level. */
	readonly text: string;
}

const levelsPerList = 9;
const listsMax = 5_000;
const formats = ["decimal", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter"] as const;
/** Codes of number formats without a number. */
const bullet = 23;
const noNumbering = 255;

export function readLists(header: DocHeader): NextMarker {
	const definitions = header.isBeforeWord97 ? new Map<number, readonly Level[]>() : definitionsOf(header);
	const overrides = header.isBeforeWord97 ? [] : overridesOf(header.table(tableIds.listOverrides));
	const countersByList = new Map<number, number[]>();
	return (list, level) => {
		const listId = overrides[list - 1] ?? -1;
		const levelDefinitions = definitions.get(listId);
		const definition = levelDefinitions?.[level];
		if (definition === undefined || definition.format === "" || definition.text === "") return "";
		const counters = countersByList.get(listId) ?? [];
		countersByList.set(listId, counters);
		counters.length = Math.min(counters.length, level + 1);
		counters[level] = (counters[level] ?? definition.start - 1) + 1;
		return [...definition.text].map((character) => formatPlaceholder(character.charCodeAt(0), levelDefinitions, counters) ?? character).join("");
	};
}

/** The number for a level placeholder; null for any other character. */
function formatPlaceholder(code: number, levelDefinitions: readonly Level[] | undefined, counters: readonly number[]): string | null {
	if (code >= levelsPerList) return null;
	const level = levelDefinitions?.[code];
	return level === undefined ? "" : formatListNumber(level.format, counters[code] ?? level.start);
}

/** Reads the list definitions. They are followed by their levels, one or nine for each. */
function definitionsOf(header: DocHeader): ReadonlyMap<number, readonly Level[]> {
	const list = header.table(tableIds.lists);
	const definitions = new Map<number, readonly Level[]>();
	if (list === null || list.length < 2) return definitions;
	const count = Math.min(listsMax, list.readUInt16LE(0), Math.floor((list.length - 2) / 28));
	// The levels are stored after the end of the table.
	const levelData = header.tableStream.subarray(list.byteOffset - header.tableStream.byteOffset + 2 + count * 28);
	let offset = 0;
	for (let index = 0; index < count; index++) {
		const entryOffset = 2 + index * 28;
		const isSimple = (list.readUInt8(entryOffset + 26) & 1) !== 0;
		const levelsOfList: Level[] = [];
		for (let level = 0; level < (isSimple ? 1 : levelsPerList) && offset + 28 <= levelData.length; level++) {
			const formatCode = levelData.readUInt8(offset + 4);
			const textOffset = offset + 28 + levelData.readUInt8(offset + 24) + levelData.readUInt8(offset + 25);
			if (textOffset + 2 > levelData.length) return definitions;
			const length = levelData.readUInt16LE(textOffset);
			const format = formatCode === bullet || formatCode === noNumbering ? "" : (formats[formatCode] ?? "decimal");
			levelsOfList.push({
				start: levelData.readUInt32LE(offset),
				format,
				text: levelData.toString("utf16le", textOffset + 2, Math.min(levelData.length, textOffset + 2 + length * 2)),
			});
			offset = textOffset + 2 + length * 2;
		}
		definitions.set(list.readInt32LE(entryOffset), levelsOfList);
	}
	return definitions;
}

/** The list id of each list override. Paragraphs refer to overrides by number, from 1. */
function overridesOf(table: Buffer | null): readonly number[] {
	if (table === null || table.length < 4) return [];
	const count = Math.min(listsMax, table.readUInt32LE(0), Math.floor((table.length - 4) / 16));
	return Array.from({ length: count }, (_, index) => table.readInt32LE(4 + index * 16));
}

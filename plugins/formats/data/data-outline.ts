/** Converts data to blocks that suit a search: scalars as lines with their path, similar records as tables, long texts as paragraphs. */

import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OutlineWriter } from "../blocks/outline.ts";
import { type DataTable, gridOf, joinScalars, tableOf } from "./data-table.ts";
import { type DataList, type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

/** A longer text is prose, and becomes a paragraph of its own. */
const lineCharactersMax = 300;
/** A text of at least this length without spaces is encoded bytes (a picture, a key, a vector), and is left out. */
const encodedCharactersMin = 1_000;
/** Fewer records in an object do not become a table, but fields. */
const tableRecordsMin = 3;

export interface DataOutline {
	readonly add: (value: DataValue, path?: string) => void;
	/** Ends the current paragraph. To be called at the end, and between unrelated values. */
	readonly endParagraph: () => void;
	/** The number of scalars that were left out as encoded bytes. */
	readonly bytesSkipped: () => number;
}

/** The outline is recursive, so the parser of the values has to limit their depth. */
export function createDataOutline(outline: OutlineWriter): DataOutline {
	let lines: string[] = [];
	let skippedCount = 0;

	const endParagraph = () => {
		outline.paragraph(lines.join("\n"));
		lines = [];
	};
	const addScalar = (text: string, path: string) => {
		if (text.trim() === "") return;
		if (isEncodedBytes(text)) {
			skippedCount++;
			return;
		}
		const line = path === "" ? text.trim() : `${path}: ${text.trim()}`;
		if (line.length <= lineCharactersMax && !line.includes("\n")) {
			lines.push(line);
			return;
		}
		endParagraph();
		for (const part of line.split(/\n\s*\n/)) outline.paragraph(part.trimEnd());
	};
	const addTable = (header: readonly string[], rows: number, rowAt: (index: number) => readonly string[], path: string) => {
		endParagraph();
		outline.caption(path);
		const table = outline.openTable(header);
		for (let index = 0; index < rows; index++) table.add({ cells: rowAt(index) });
		table.end();
	};
	const addRecord = (record: DataRecord, path: string) => {
		const table = tableOfRecords(record);
		if (table !== null) {
			addTable(table.header, table.rows, table.rowAt, path);
			return;
		}
		for (const [name, value] of record.entries) {
			const isNested = !isScalar(value) && (isRecord(value) || joinScalars(value.items) === null);
			if (isNested) endParagraph();
			add(value, joinPath(path, name));
			if (isNested) endParagraph();
		}
	};
	const addList = ({ items }: DataList, path: string) => {
		const table = tableOf(items);
		if (table !== null) {
			addTable(table.header, table.rows, table.rowAt, path);
			return;
		}
		const grid = gridOf(items);
		if (grid !== null) {
			const first = looksLikeHeader(grid) ? 1 : 0;
			addTable(first === 1 ? (grid[0] ?? []) : [], grid.length - first, (index) => grid[index + first] ?? [], path);
			return;
		}
		const line = joinScalars(items);
		if (line !== null && (line.length <= lineCharactersMax || items.every((item) => isScalar(item) && isNumber(item)))) {
			addScalar(line, path);
			return;
		}
		for (const [index, item] of items.entries()) {
			add(item, `${path}[${index}]`);
			if (!isScalar(item)) endParagraph();
		}
	};
	const add = (value: DataValue, path = "") => {
		if (isScalar(value)) addScalar(value, path);
		else if (isRecord(value)) addRecord(value, path);
		else addList(value, path);
	};
	return { add, endParagraph, bytesSkipped: () => skippedCount };
}

/** The table of an object whose values are similar records. Its keys become the first column. Null for any other object. */
function tableOfRecords({ entries }: DataRecord): DataTable | null {
	if (entries.length < tableRecordsMin) return null;
	const table = tableOf(entries.map(([, value]) => value));
	if (table === null) return null;
	return { ...table, header: ["", ...table.header], rowAt: (index) => [entries[index]?.[0] ?? "", ...table.rowAt(index)] };
}

function joinPath(path: string, name: string): string {
	if (path === "") return name;
	return name === "" ? path : `${path}.${name}`;
}

function isNumber(text: string): boolean {
	return /^-?[\d.eE+-]+$/.test(text);
}

/** Whether a text is bytes in letters, such as a picture in Base64. */
export function isEncodedBytes(text: string): boolean {
	return text.length >= encodedCharactersMin && /^(?:data:[\w/+.;=-]{0,100},)?[\w+/=-]+$/.test(text);
}

/** Data → blocks that search well: scalars as lines with their path, records of one kind as tables, long texts as paragraphs. */

import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OutlineWriter } from "../blocks/outline.ts";
import { type DataTable, gridOf, joinedScalars, tableOf } from "./data-table.ts";
import { type DataList, type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

/** A longer text stands alone: it is prose, not a field. */
const lineCharactersMax = 300;
/** Longer runs without a blank are encoded bytes: a picture, a key, a vector. They are not worth searching. */
const bytesCharactersMin = 1_000;
/** Fewer records under names of their own read better as fields. */
const namedRecordsMin = 3;

export interface DataOutline {
	readonly add: (value: DataValue, path?: string) => void;
	/** Ends the paragraph that is being written. To be called at the end, and between things that have nothing in common. */
	readonly close: () => void;
	/** How many scalars were left out because they are bytes in letters. */
	readonly bytesSkipped: () => number;
}

/** Calls itself for each level, so the depth is the reader's affair. */
export function createDataOutline(outline: OutlineWriter): DataOutline {
	let lines: string[] = [];
	let skipped = 0;

	const close = () => {
		outline.paragraph(lines.join("\n"));
		lines = [];
	};
	const addScalar = (text: string, path: string) => {
		if (text.trim() === "") return;
		if (isBytes(text)) {
			skipped++;
			return;
		}
		const labelled = path === "" ? text.trim() : `${path}: ${text.trim()}`;
		if (labelled.length <= lineCharactersMax && !labelled.includes("\n")) {
			lines.push(labelled);
			return;
		}
		close();
		for (const part of labelled.split(/\n\s*\n/)) outline.paragraph(part.trimEnd());
	};
	const addTable = (header: readonly string[], rows: number, rowAt: (index: number) => readonly string[], path: string) => {
		close();
		outline.caption(path);
		const table = outline.openTable(header);
		for (let index = 0; index < rows; index++) table.add({ cells: rowAt(index) });
		table.end();
	};
	const addRecord = (record: DataRecord, path: string) => {
		const named = namedTable(record);
		if (named !== null) {
			addTable(named.header, named.rows, named.rowAt, path);
			return;
		}
		for (const [name, value] of record.entries) {
			const isNested = !isScalar(value) && (isRecord(value) || joinedScalars(value.items) === null);
			if (isNested) close();
			add(value, joined(path, name));
			if (isNested) close();
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
		const line = joinedScalars(items);
		if (line !== null && (line.length <= lineCharactersMax || items.every((item) => isScalar(item) && isNumber(item)))) {
			addScalar(line, path);
			return;
		}
		for (const [index, item] of items.entries()) {
			add(item, `${path}[${index}]`);
			if (!isScalar(item)) close();
		}
	};
	const add = (value: DataValue, path = "") => {
		if (isScalar(value)) addScalar(value, path);
		else if (isRecord(value)) addRecord(value, path);
		else addList(value, path);
	};
	return { add, close, bytesSkipped: () => skipped };
}

/** Records of one kind under names of their own: the names become the first column. */
function namedTable({ entries }: DataRecord): DataTable | null {
	if (entries.length < namedRecordsMin) return null;
	const table = tableOf(entries.map(([, value]) => value));
	if (table === null) return null;
	return { ...table, header: ["", ...table.header], rowAt: (index) => [entries[index]?.[0] ?? "", ...table.rowAt(index)] };
}

function joined(path: string, name: string): string {
	if (path === "") return name;
	return name === "" ? path : `${path}.${name}`;
}

function isNumber(text: string): boolean {
	return /^-?[\d.eE+-]+$/.test(text);
}

function isBytes(text: string): boolean {
	return text.length >= bytesCharactersMin && /^(?:data:[\w/+.;=-]{0,100},)?[\w+/=-]+$/.test(text);
}

/** Data → blocks that are suited to search: scalars as lines with their path, similar records as tables, long texts as paragraphs. */

import { looksLikeHeader } from "../blocks/looks-like-header.ts";
import type { OutlineWriter } from "../blocks/outline.ts";
import { type DataTable, gridOf, joinedScalars, tableOf } from "./data-table.ts";
import { type DataList, type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

/** A longer text is prose and becomes a paragraph. */
const lineCharactersMax = 300;
/** A longer text without a blank is encoded bytes (a picture, a key, a vector), and is left out. */
const bytesCharactersMin = 1_000;
/** Fewer records in an object become fields, not a table. */
const namedRecordsMin = 3;

export interface DataOutline {
	readonly add: (value: DataValue, path?: string) => void;
	/** Ends the current paragraph. To be called at the end, and between unrelated values. */
	readonly close: () => void;
	/** How many scalars were left out as encoded bytes. */
	readonly bytesSkipped: () => number;
}

/** Recursive: the parser has to limit the depth. */
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

/** An object whose values are similar records: its keys become the first column. */
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

/** Collects blocks in reading order, and adds to each the headings above it and its table. */

import type { Place } from "cairn-memory";
import { type ReadableBlock, rowText, type WrittenRow } from "cairn-memory/words";

export interface TableRow {
	readonly cells: readonly string[];
	readonly place?: Place;
}

/** An outline that collects blocks. */
export interface Outline extends OutlineWriter {
	readonly blocks: readonly ReadableBlock[];
}

export interface OutlineWriter {
	readonly heading: (level: number, text: string, options?: BlockOptions) => void;
	readonly paragraph: (text: string, options?: BlockOptions) => void;
	readonly caption: (text: string, options?: BlockOptions) => void;
	readonly item: (depth: number, text: string, options?: BlockOptions & { readonly marker?: string }) => void;
	readonly code: (text: string, language: string | null, options?: BlockOptions) => void;
	/** Adds a table. A header without rows is added as a row. */
	readonly table: (header: readonly string[], rows: Iterable<TableRow>) => void;
	/** Begins a table whose rows are added one by one. Call `end` before anything else is added to the outline. */
	readonly openTable: (header: readonly string[]) => OpenTable;
}

export interface OpenTable {
	readonly add: (row: TableRow) => void;
	readonly end: () => void;
}

/** Receives the blocks of an outline. */
export interface BlockSink {
	readonly add: (block: ReadableBlock) => void;
	readonly addRow: (row: WrittenRow) => void;
}

export interface BlockOptions {
	readonly place?: Place;
	/** The text with links and emphasis, if it has any. */
	readonly markdown?: string;
}

/** Every block repeats the headings above it, so an overlong heading is cut. */
const pathCharactersMax = 1_000;

export function createOutline(): Outline {
	const blocks: ReadableBlock[] = [];
	const sink: BlockSink = {
		add: (block) => void blocks.push(block),
		addRow: (row) => void blocks.push({ ...row, kind: "row", text: rowText(row.header, row.cells) }),
	};
	return { blocks, ...outlineInto(sink) };
}

/** An outline that passes every block on to a writer. It keeps only the blocks outside of tables and the first row of each table. */
export function createLongOutline(writer: BlockSink): Outline {
	const blocks: ReadableBlock[] = [];
	let table = 0;
	const sink: BlockSink = {
		add(block) {
			blocks.push(block);
			writer.add(block);
		},
		addRow(row) {
			if (row.table !== table) blocks.push({ ...row, kind: "row", text: rowText(row.header, row.cells) });
			table = row.table;
			writer.addRow(row);
		},
	};
	return { blocks, ...outlineInto(sink) };
}

/** An outline that keeps no blocks, only its position: the current headings and the number of the table. */
export function outlineInto(sink: BlockSink): OutlineWriter {
	let path: readonly { readonly level: number; readonly text: string }[] = [];
	/** One array, shared by all blocks below a heading, since a table may have a million rows. */
	let headings: readonly string[] = [];
	let tables = 0;
	const setPath = (next: typeof path) => {
		path = next;
		headings = next.map((heading) => heading.text);
	};

	const noPlace: Place = {};
	const base = (text: string, options: BlockOptions) => ({
		text,
		headings,
		place: options.place ?? noPlace,
		...(options.markdown === undefined || options.markdown === text ? {} : { markdown: options.markdown }),
	});
	const isBlank = (text: string) => text.trim() === "";

	const openTable = (header: readonly string[]): OpenTable => {
		const table = ++tables;
		let isBlankTable = true;
		const add = ({ cells, place = noPlace }: TableRow) => {
			if (cells.every(isBlank)) return;
			isBlankTable = false;
			sink.addRow({ cells, header, headings, place, table });
		};
		const end = () => {
			if (isBlankTable && !header.every(isBlank)) sink.addRow({ cells: header, header: [], headings, place: noPlace, table });
		};
		return { add, end };
	};

	return {
		heading(level, text, options = {}) {
			if (isBlank(text)) return;
			setPath(path.filter((heading) => heading.level < level));
			sink.add({ ...base(text, options), kind: "heading", level });
			setPath([...path, { level, text: text.length > pathCharactersMax ? text.slice(0, pathCharactersMax).toWellFormed() : text }]);
		},
		paragraph(text, options = {}) {
			if (!isBlank(text)) sink.add({ ...base(text, options), kind: "paragraph" });
		},
		caption(text, options = {}) {
			if (!isBlank(text)) sink.add({ ...base(text, options), kind: "caption" });
		},
		item(depth, text, options = {}) {
			const { marker = "-" } = options;
			if (!isBlank(text)) sink.add({ ...base(text, options), ...(marker === "-" ? {} : { marker }), kind: "list-item", depth });
		},
		code(text, language, options = {}) {
			if (!isBlank(text)) sink.add({ ...base(text, options), kind: "code", language });
		},
		table(header, rows) {
			const { add, end } = openTable(header);
			for (const row of rows) add(row);
			end();
		},
		openTable,
	};
}

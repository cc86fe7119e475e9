/** Collects blocks in reading order and knows, for each, the headings above it and the table it belongs to. */

import type { Place, ReadableBlock } from "cairn";

export interface TableRow {
	readonly cells: readonly string[];
	readonly place?: Place;
}

export interface Outline {
	readonly blocks: readonly ReadableBlock[];
	readonly heading: (level: number, text: string, options?: BlockOptions) => void;
	readonly paragraph: (text: string, options?: BlockOptions) => void;
	readonly caption: (text: string, options?: BlockOptions) => void;
	readonly item: (depth: number, text: string, options?: BlockOptions & { readonly marker?: string }) => void;
	readonly code: (text: string, language: string | null, options?: BlockOptions) => void;
	/** A header without rows is shown as a row: nothing that was written is lost. */
	readonly table: (header: readonly string[], rows: readonly TableRow[]) => void;
}

export interface BlockOptions {
	readonly place?: Place;
	/** The text with links and emphasis, when it has any. */
	readonly markdown?: string;
}

/** Every block below a heading carries it: one that is a book by itself is carried in part. */
const pathCharactersMax = 1_000;

export function createOutline(): Outline {
	const blocks: ReadableBlock[] = [];
	let path: readonly { readonly level: number; readonly text: string }[] = [];
	/** One list for all blocks below a heading: a table may have a million rows. */
	let headings: readonly string[] = [];
	let tables = 0;
	const climb = (next: typeof path) => {
		path = next;
		headings = next.map((heading) => heading.text);
	};

	const nowhere: Place = {};
	const base = (text: string, options: BlockOptions) => ({
		text,
		headings,
		place: options.place ?? nowhere,
		...(options.markdown === undefined || options.markdown === text ? {} : { markdown: options.markdown }),
	});
	const isBlank = (text: string) => text.trim() === "";

	return {
		blocks,
		heading(level, text, options = {}) {
			if (isBlank(text)) return;
			climb(path.filter((heading) => heading.level < level));
			blocks.push({ ...base(text, options), kind: "heading", level });
			climb([...path, { level, text: text.length > pathCharactersMax ? text.slice(0, pathCharactersMax).toWellFormed() : text }]);
		},
		paragraph(text, options = {}) {
			if (!isBlank(text)) blocks.push({ ...base(text, options), kind: "paragraph" });
		},
		caption(text, options = {}) {
			if (!isBlank(text)) blocks.push({ ...base(text, options), kind: "caption" });
		},
		item(depth, text, options = {}) {
			const marker = options.marker === undefined ? {} : { marker: options.marker };
			if (!isBlank(text)) blocks.push({ ...base(text, options), ...marker, kind: "list-item", depth });
		},
		code(text, language, options = {}) {
			if (!isBlank(text)) blocks.push({ ...base(text, options), kind: "code", language });
		},
		table(header, rows) {
			tables++;
			const spoken = rows.filter((row) => !row.cells.every(isBlank));
			const [head, body] = spoken.length > 0 ? [header, spoken] : [[], [{ cells: header }]];
			for (const { cells, place = nowhere } of body) blocks.push({ ...base(rowText(head, cells), { place }), kind: "row", cells, header: head, table: tables });
		},
	};
}

/** A row as a sentence: `Name: Ada; Year: 1843`. Cells that say nothing are left out. */
export function rowText(header: readonly string[], cells: readonly string[]): string {
	const parts: string[] = [];
	for (const [column, cell] of cells.entries()) {
		if (cell.trim() === "") continue;
		const name = (header[column] ?? "").trim();
		parts.push(name === "" ? cell.trim() : `${name}: ${cell.trim()}`);
	}
	return parts.join("; ");
}

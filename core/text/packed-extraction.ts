/**
 * The compact form of an extraction, used to pass it between processes and to store it: the text once, and rows and paragraphs as
 * offsets into it. Half a million rows as objects would take a gigabyte; in this form they take little more than their text.
 */

import type { Block, BlockKind, Extraction, Place } from "../model/extraction.ts";

export interface PackedExtraction extends Omit<Extraction, "blocks"> {
	/** In reading order. */
	readonly parts: readonly (Block | PackedRun)[];
}

/** Consecutive blocks that differ only in their text and row number: paragraphs, or rows of one table. */
export interface PackedRun {
	readonly headings: readonly string[];
	readonly sheet: string | null;
	/** Null for paragraphs and captions. */
	readonly table: { readonly number: number; readonly header: readonly string[] } | null;
	/** Four numbers per block: start and end of its text, its row number or 0, and the number of its cells or the index of its kind in `plainKinds`. */
	readonly marks: Uint32Array;
	/** The cells, as JSON, of rows whose text does not show where a cell ends, by the index of the row in this run. */
	readonly odd: ReadonlyMap<number, string>;
}

/** Kinds of blocks that have no properties besides their text. */
export const plainKinds = ["paragraph", "caption"] as const satisfies readonly BlockKind[];
export const marksPerBlock = 4;

type Row = Extract<Block, { kind: "row" }>;
type Plain = Extract<Block, { kind: (typeof plainKinds)[number] }>;

/** An extraction with more blocks stays packed; each block is unpacked whenever it is accessed. */
const plainBlocksMax = 10_000;

/** The packed form that blocks were unpacked from, so that they can be stored again without packing. */
const packedForms = new WeakMap<readonly Block[], PackedExtraction["parts"]>();

export function unpackExtraction({ parts, ...facts }: PackedExtraction): Extraction {
	const count = parts.reduce((sum, part) => sum + (isRun(part) ? part.marks.length / marksPerBlock : 1), 0);
	const blocks: Block[] = [];
	for (const part of parts) {
		if (!isRun(part)) blocks.push(part);
		else addRun(part, facts.text, count > plainBlocksMax, blocks);
	}
	packedForms.set(blocks, parts);
	return { ...facts, blocks };
}

/** The packed form that an extraction was unpacked from; null if there is none. */
export function packedAgain({ blocks, ...facts }: Extraction): PackedExtraction | null {
	const parts = packedForms.get(blocks);
	return parts === undefined ? null : { ...facts, parts };
}

export function isRun(part: Block | PackedRun): part is PackedRun {
	return "marks" in part;
}

/** A row as a sentence: `Name: Ada; Year: 1843`. Blank cells are left out. */
export function rowText(header: readonly string[], cells: readonly string[]): string {
	let text = "";
	for (const [column, value] of cells.entries()) {
		const cell = value.trim();
		if (cell === "") continue;
		const name = (header[column] ?? "").trim();
		if (text !== "") text += "; ";
		text += name === "" ? cell : `${name}: ${cell}`;
	}
	return text;
}

/** Splits a line of a Markdown table into cells. The result is wrong if a cell contains the separator; such rows are stored in `odd`. */
export function cellsOfLine(line: string, count: number): readonly string[] {
	const cells = line.slice(2, -2).split(" | ");
	if (cells.length > count) cells.length = count;
	return cells;
}

function addRun(run: PackedRun, text: string, isLong: boolean, blocks: Block[]): void {
	const { table } = run;
	for (let index = 0; index * marksPerBlock < run.marks.length; index++) {
		const block = table === null ? new PackedParagraph(run, text, index) : new PackedRow(run, table, text, index);
		blocks.push(isLong ? block : block.toJSON());
	}
}

/** A class, because an object literal with getters would need three closures for each of a million rows. */
class PackedParagraph {
	readonly #run: PackedRun;
	readonly #text: string;
	readonly #index: number;

	constructor(run: PackedRun, text: string, index: number) {
		this.#run = run;
		this.#text = text;
		this.#index = index;
	}

	get kind(): Plain["kind"] {
		return plainKinds[markAt(this.#run, this.#index, 3)] ?? plainKinds[0];
	}

	get headings(): readonly string[] {
		return this.#run.headings;
	}

	get text(): string {
		return wordsAt(this.#run, this.#text, this.#index);
	}

	get place(): Place {
		return placeAt(this.#run, this.#index);
	}

	toJSON(): Plain {
		const { kind, headings, text, place } = this;
		return { kind, headings, text, place };
	}
}

class PackedRow {
	readonly kind = "row";
	readonly #run: PackedRun;
	readonly #table: NonNullable<PackedRun["table"]>;
	readonly #text: string;
	readonly #index: number;

	constructor(run: PackedRun, table: NonNullable<PackedRun["table"]>, text: string, index: number) {
		this.#run = run;
		this.#table = table;
		this.#text = text;
		this.#index = index;
	}

	get headings(): readonly string[] {
		return this.#run.headings;
	}

	get table(): number {
		return this.#table.number;
	}

	get header(): readonly string[] {
		return this.#table.header;
	}

	get cells(): readonly string[] {
		const odd = this.#run.odd.get(this.#index);
		if (odd !== undefined) return JSON.parse(odd) as readonly string[];
		return cellsOfLine(wordsAt(this.#run, this.#text, this.#index), markAt(this.#run, this.#index, 3));
	}

	get text(): string {
		return rowText(this.header, this.cells);
	}

	get place(): Place {
		return placeAt(this.#run, this.#index);
	}

	toJSON(): Row {
		const { kind, headings, cells, header, table, place } = this;
		return { kind, headings, cells, header, table, place, text: rowText(header, cells) };
	}
}

function markAt({ marks }: PackedRun, index: number, which: 0 | 1 | 2 | 3): number {
	return marks[index * marksPerBlock + which] ?? 0;
}

function wordsAt(run: PackedRun, text: string, index: number): string {
	return text.slice(markAt(run, index, 0), markAt(run, index, 1));
}

function placeAt(run: PackedRun, index: number): Place {
	const row = markAt(run, index, 2);
	const span = [markAt(run, index, 0), markAt(run, index, 1)] as const;
	return { ...(run.sheet !== null && { sheet: run.sheet }), ...(row > 0 && { row }), span };
}

/** Reads tables, which Pages, Keynote and Numbers store alike. Types of objects and fields have numbers only; their names are told beside them. */

import { fail, type Place } from "cairn-memory";
import type { Outline, TableRow } from "../blocks/outline.ts";
import { type CellTexts, cellText, type NumberFormat } from "./cells.ts";
import { fieldOf, type ObjectStore, referencesIn, textOf } from "./object-store.ts";
import { fieldsOf } from "./protobuf.ts";
import { remembered } from "./remembered.ts";

const types = { text: [2001, 2005], info: 6000, table: 6001, tile: 6002, lists: [6005, 6201], segment: 6011, richText: 6218 } as const;
export const tableTypes: readonly number[] = Object.values(types).flat();

/** As many as Numbers has. */
const columnsMax = 1_000;
const rowsInTile = 256;
/** All cells of a row may refer to one long text. */
const rowCharactersMax = 5_000_000;
const percentFormat = 258;
const currencyFormat = 257;
const noCell = 0xffff;

export interface TableReader {
	/**
	 * Adds the table that an object on a sheet or a page stands for; nothing for other objects, and for what was added before.
	 * @returns whether it was a table
	 * @throws FILE_BROKEN, or EXTRACTOR_MISSING for tables from before 2017
	 */
	readonly add: (info: number, placeOf: (row: number) => Place) => boolean;
}

/** @param isFull stops before the next row */
export function createTableReader(objects: ObjectStore, outline: Outline, isFull: () => boolean): TableReader {
	const [met, added] = [new Set<number>(), new Set<number>()];
	return {
		add(info, placeOf) {
			if (met.has(info)) return false;
			met.add(info);
			const [table = 0] = referencesIn(objects.get(info, types.info) ?? new Uint8Array(), 2);
			const model = objects.get(table, types.table);
			if (model === null || added.has(table)) return false;
			added.add(table);
			addTable(objects, model, placeOf, outline, isFull);
			return true;
		},
	};
}

function addTable(objects: ObjectStore, model: Uint8Array, placeOf: (row: number) => Place, outline: Outline, isFull: () => boolean): void {
	const store = fieldOf(model, 4)?.bytes ?? new Uint8Array(); // base_data_store
	const isNamed = fieldOf(model, 22)?.value === 1; // table_name_enabled
	const headerRows = fieldOf(model, 9)?.value ?? 0; // number_of_header_rows
	const rows = rowsOf(objects, store, textsOf(objects, store), placeOf);
	const first = rows.next();
	if (first.done === true) return;
	if (isNamed) outline.caption(textOf(model, 8), { place: placeOf(1) });
	const isHeader = first.value.number <= headerRows;
	const table = outline.openTable(isHeader ? first.value.cells.map((cell) => cell.replace(/\s+/g, " ").trim()) : []);
	if (!isHeader) table.add(first.value);
	for (const row of rows) {
		if (isFull()) break;
		table.add(row);
	}
	table.end();
}

interface NumberedRow extends TableRow {
	/** From 1. */
	readonly number: number;
}

/** The rows that have a text, in order. */
function* rowsOf(objects: ObjectStore, store: Uint8Array, texts: CellTexts, placeOf: (row: number) => Place): Generator<NumberedRow, undefined> {
	const storage = fieldOf(store, 3)?.bytes ?? new Uint8Array(); // tiles
	const tileRows = fieldOf(storage, 2)?.value || rowsInTile; // tile_size
	const tiles = new Map<number, number>();
	for (const { number, bytes } of fieldsOf(storage)) {
		const [tile] = number === 1 ? referencesIn(bytes, 2) : [];
		if (tile !== undefined && !tiles.has(tile)) tiles.set(tile, fieldOf(bytes, 1)?.value ?? 0);
	}
	for (const [tile, place] of [...tiles].sort(([, one], [, other]) => one - other)) {
		const rows: { readonly number: number; readonly info: Uint8Array }[] = [];
		for (const { number, bytes } of fieldsOf(objects.get(tile, types.tile) ?? new Uint8Array()))
			if (number === 5) rows.push({ number: place * tileRows + (fieldOf(bytes, 1)?.value ?? 0) + 1, info: bytes });
		for (const { number, info } of rows.sort((one, other) => one.number - other.number)) {
			const cells = cellsOf(info, texts);
			if (cells.length > 0) yield { number, cells, place: placeOf(number) };
		}
	}
}

/** The texts of a row up to the last that is not empty. */
function cellsOf(info: Uint8Array, texts: CellTexts): readonly string[] {
	const [buffer, offsets] = [fieldOf(info, 6)?.bytes, fieldOf(info, 7)?.bytes]; // cell_storage_buffer, cell_offsets
	if (buffer === undefined || offsets === undefined) {
		if ((fieldOf(info, 3)?.bytes.length ?? 0) === 0) return [];
		throw fail("EXTRACTOR_MISSING", "iWork table from before 2017", "tables since 2017");
	}
	const unit = fieldOf(info, 8)?.value === 1 ? 4 : 1; // has_wide_offsets
	const row = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
	const cells: string[] = [];
	let characters = 0;
	for (let column = 0; column < Math.min(columnsMax, offsets.length >> 1); column++) {
		const offset = (offsets[2 * column] ?? 0) + 256 * (offsets[2 * column + 1] ?? 0);
		const text = offset === noCell ? "" : cellText(row, offset * unit, texts);
		if (text === "") continue;
		characters += text.length;
		if (characters > rowCharactersMax) throw fail("OUTPUT_TOO_LARGE", `${rowCharactersMax / 1e6} MB`);
		while (cells.length < column) cells.push("");
		cells.push(text);
	}
	return cells;
}

function textsOf(objects: ObjectStore, store: Uint8Array): CellTexts {
	const [strings, rich, formats] = [listIn(objects, store, 4), listIn(objects, store, 17), listIn(objects, store, 22)]; // stringTable, rich_text_table, format_table
	const storedText = remembered((storage) =>
		textOf(objects.get(storage, ...types.text) ?? new Uint8Array(), 3)
			.replaceAll("\uFFFC", "")
			.trim(),
	);
	const storageOf = remembered((payload) => referencesIn(objects.get(payload, types.richText) ?? new Uint8Array(), 1)[0] ?? 0);
	return {
		plain: remembered((key) => textOf(strings.get(key) ?? new Uint8Array(), 3)),
		rich: remembered((key) => storedText(storageOf(referencesIn(rich.get(key) ?? new Uint8Array(), 9)[0] ?? 0))),
		format: remembered((key) => formatOf(fieldOf(formats.get(key) ?? new Uint8Array(), 6)?.bytes)),
	};
}

/** The entries of a list that a table refers to, by their keys; long lists are in several segments. */
function listIn(objects: ObjectStore, store: Uint8Array, field: number): ReadonlyMap<number, Uint8Array> {
	const entries = new Map<number, Uint8Array>();
	const addEntries = (list: Uint8Array) => {
		for (const { number, bytes } of fieldsOf(list)) if (number === 3) entries.set(fieldOf(bytes, 1)?.value ?? 0, bytes);
	};
	const [id = 0] = referencesIn(store, field);
	const list = objects.get(id, ...types.lists) ?? new Uint8Array();
	addEntries(list);
	for (const segment of new Set(referencesIn(list, 4))) addEntries(objects.get(segment, types.segment) ?? new Uint8Array());
	return entries;
}

function formatOf(format: Uint8Array | undefined): NumberFormat | null {
	if (format === undefined) return null;
	const type = fieldOf(format, 1)?.value;
	return { isPercent: type === percentFormat, currency: type === currencyFormat ? textOf(format, 3) : "" };
}

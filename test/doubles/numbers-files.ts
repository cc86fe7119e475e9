/** Writes Numbers documents: sheets with tables, whose cells are packed row by row. */

import { bytesField, type IworkObject, numberField, partOf, reference, textObject } from "./iwork-files.ts";
import { zipOf } from "./zip-of.ts";

export type Cell =
	| string
	| number
	| boolean
	| Date
	| null
	| { readonly percent: number }
	| { readonly euros: number }
	| { readonly seconds: number }
	| { readonly rich: string };

export interface NumbersTable {
	/** Null if it is not shown. */
	readonly name: string | null;
	readonly headerRows?: number;
	readonly rows: readonly (readonly Cell[])[];
	/** Offsets of cells are counted in fours. */
	readonly isWide?: boolean;
}

export interface NumbersSheet {
	readonly name: string;
	readonly tables: readonly NumbersTable[];
}

const double = (value: number) => {
	const bytes = Buffer.alloc(8);
	bytes.writeDoubleLE(value);
	return bytes;
};
const key = (value: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
};

/** With fifteen digits behind the point. */
function decimal(value: number): Buffer {
	const digits = BigInt(Math.round(Math.abs(value) * 1e6)) * 10n ** 9n;
	const bytes = Buffer.alloc(16);
	bytes.writeBigUInt64LE(digits & 0xffff_ffff_ffff_ffffn, 0);
	bytes.writeBigUInt64LE((digits >> 64n) | (BigInt(6_176 - 15) << 49n) | (value < 0 ? 1n << 63n : 0n), 8);
	return bytes;
}

/** The texts of a table, by their keys from 1. */
interface Lists {
	readonly strings: string[];
	readonly rich: string[];
}

const [percentKey, eurosKey] = [1, 2];

function packed(cell: Exclude<Cell, null>, { strings, rich }: Lists): Buffer {
	if (typeof cell === "string") return cellOf(3, 0x8, key(strings.push(cell)));
	if (typeof cell === "number") return cellOf(2, 0x1 | 0x20, decimal(cell), key(9));
	if (typeof cell === "boolean") return cellOf(6, 0x2, double(cell ? 1 : 0));
	if (cell instanceof Date) return cellOf(5, 0x4 | 0x8000, double((cell.getTime() - Date.UTC(2001, 0, 1)) / 1_000), key(9));
	if ("percent" in cell) return cellOf(2, 0x1 | 0x2000, decimal(cell.percent / 100), key(percentKey));
	if ("euros" in cell) return cellOf(10, 0x1 | 0x40 | 0x4000, decimal(cell.euros), key(9), key(eurosKey));
	if ("seconds" in cell) return cellOf(7, 0x2, double(cell.seconds));
	return cellOf(9, 0x10 | 0x20, key(rich.push(cell.rich)), key(9));
}

function cellOf(kind: number, flags: number, ...fields: readonly Buffer[]): Buffer {
	const header = Buffer.alloc(12);
	header.set([5, kind]);
	header.writeUInt32LE(flags, 8);
	return Buffer.concat([header, ...fields]);
}

export function rowOf(index: number, cells: readonly Cell[], lists: Lists, isWide = false): Uint8Array {
	const [unit, pieces, offsets]: [number, Buffer[], number[]] = [isWide ? 4 : 1, [], []];
	let length = 0;
	for (const cell of cells) {
		offsets.push(cell === null ? 0xffff : length / unit);
		if (cell === null) continue;
		const piece = packed(cell, lists);
		pieces.push(piece);
		length += piece.length;
	}
	const places = Buffer.alloc(2 * offsets.length);
	for (const [i, offset] of offsets.entries()) places.writeUInt16LE(offset, 2 * i);
	const fields = [numberField(1, index), bytesField(6, Buffer.concat(pieces)), bytesField(7, places), numberField(8, isWide ? 1 : 0)];
	return Buffer.concat(fields);
}

const listOf = (id: number, entries: readonly Uint8Array[]): IworkObject => ({
	id,
	type: 6005,
	message: Buffer.concat(entries.map((entry, i) => bytesField(3, Buffer.concat([numberField(1, i + 1), entry])))),
});

/** The objects of a table, the first of them what a sheet refers to. @param base identifiers from here on are its own */
export function tableObjects(base: number, { name, headerRows = 0, rows, isWide = false }: NumbersTable, tileRows = 256): readonly IworkObject[] {
	const lists: Lists = { strings: [], rich: [] };
	const packedRows = rows.map((cells, i) => rowOf(i % tileRows, cells, lists, isWide));
	const tiles = Array.from({ length: Math.ceil(rows.length / tileRows) }, (_, i) => ({
		id: base + 1_000 + i,
		type: 6002,
		message: Buffer.concat(packedRows.slice(i * tileRows, (i + 1) * tileRows).map((row) => bytesField(5, row))),
	}));
	const storage = Buffer.concat([
		...tiles.map(({ id }, i) => bytesField(1, Buffer.concat([numberField(1, i), bytesField(2, reference(id))]))),
		numberField(2, tileRows),
	]);
	const formats = [numberField(1, 258), Buffer.concat([numberField(1, 257), bytesField(3, Buffer.from("EUR"))])];
	const references = [
		[4, 2],
		[17, 3],
		[22, 4],
	].map(([field = 0, id = 0]) => bytesField(field, reference(base + id)));
	const store = Buffer.concat([bytesField(3, storage), ...references]);
	const shown = [numberField(9, headerRows), bytesField(8, Buffer.from(name ?? "hidden")), numberField(22, name === null ? 0 : 1)];
	const richTexts = lists.rich.flatMap((text, i) => [
		{ id: base + 100 + i, type: 6218, message: bytesField(1, reference(base + 500 + i)) },
		textObject(base + 500 + i, text),
	]);
	return [
		{ id: base, type: 6000, message: bytesField(2, reference(base + 1)) },
		{ id: base + 1, type: 6001, message: Buffer.concat([bytesField(4, store), ...shown]) },
		listOf(
			base + 2,
			lists.strings.map((text) => bytesField(3, Buffer.from(text))),
		),
		listOf(
			base + 3,
			lists.rich.map((_, i) => bytesField(9, reference(base + 100 + i))),
		),
		listOf(
			base + 4,
			formats.map((format) => bytesField(6, format)),
		),
		...richTexts,
		...tiles,
	];
}

export function numbersOf(...sheets: readonly NumbersSheet[]): Uint8Array {
	const tables = sheets.map(({ tables: inside }, at) => inside.map((table, i) => tableObjects(10_000 * (10 * at + i + 1), table)));
	const sheetObjects = sheets.map(({ name }, at) => sheetOf(10 + at, name, tables[at]?.map(([info]) => info?.id ?? 0) ?? []));
	return zipOf({
		"Index/Document.iwa": partOf([documentOf(sheetObjects.map(({ id }) => id)), ...sheetObjects]),
		"Index/Tables/All.iwa": partOf(tables.flat(2)),
		"Index/OperationStorage.iwa": "bvxn, and not in blocks",
	});
}

export function documentOf(sheets: readonly number[]): IworkObject {
	return { id: 1, type: 1, message: Buffer.concat(sheets.map((id) => bytesField(1, reference(id)))) };
}

export function sheetOf(id: number, name: string, tables: readonly number[]): IworkObject {
	return { id, type: 2, message: Buffer.concat([bytesField(1, Buffer.from(name)), ...tables.map((table) => bytesField(2, reference(table)))]) };
}

/** A sheet, its table and the tile of that, each listed so many times. */
export function listedAgain(times: number): readonly IworkObject[] {
	const many = <Item>(item: Item) => Array.from({ length: times }, () => item);
	const [info, model, ...rest] = tableObjects(10_000, { name: null, rows: [["once"]] });
	const tile = bytesField(1, bytesField(2, reference(11_000)));
	const store = Buffer.concat([bytesField(3, Buffer.concat(many(tile))), bytesField(4, reference(10_002))]);
	const again = { id: model?.id ?? 0, type: 6001, message: bytesField(4, store) };
	return [documentOf(many(10)), sheetOf(10, "S", many(10_000)), ...(info === undefined ? [] : [info]), again, ...rest];
}

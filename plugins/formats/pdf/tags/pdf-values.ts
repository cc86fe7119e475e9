/**
 * Reads values of a PDF where MuPDF keeps them, for what has hundreds of thousands of them: MuPDF's API makes an object of each and
 * registers it to be freed, which takes several times as long as reading. In 1.28 it keeps each twice and frees it once.
 */

import type { PDFObject } from "mupdf";
import { mupdfMemory } from "../mupdf-memory.ts";

/**
 * The address of a value, 0 if there is none. The document owns it: it may be read as long as the document is open. When MuPDF repairs a
 * file in between, it keeps the values of before (`pdf_forget_xref`).
 */
export type Value = number;

/** The object must be kept by the caller as long as values below it are read. */
export function addressOf(object: PDFObject): Value {
	return object.pointer;
}

export function valueOfKey(dictionary: Value, key: string): Value {
	return mupdfMemory()._wasm_pdf_dict_gets(dictionary, keyAddress(key));
}

export function valueAt(array: Value, index: number): Value {
	return mupdfMemory()._wasm_pdf_array_get(array, index);
}

export function lengthOf(array: Value): number {
	return mupdfMemory()._wasm_pdf_array_len(array);
}

export function isDictionary(value: Value): boolean {
	return mupdfMemory()._wasm_pdf_is_dict(value) !== 0;
}

export function isArray(value: Value): boolean {
	return mupdfMemory()._wasm_pdf_is_array(value) !== 0;
}

/** Null if it is no number. */
export function numberOf(value: Value): number | null {
	return mupdfMemory()._wasm_pdf_is_number(value) === 0 ? null : mupdfMemory()._wasm_pdf_to_real(value);
}

/** Empty if it is no name. */
export function nameOf(value: Value): string {
	const memory = mupdfMemory();
	return memory._wasm_pdf_is_name(value) === 0 ? "" : memory.UTF8ToString(memory._wasm_pdf_to_name(value));
}

/** The number of an object. One that is written where it is used has none, and is never known. */
export function objectNumberOf(value: Value): number {
	return mupdfMemory()._wasm_pdf_is_indirect(value) === 0 ? Number.NaN : mupdfMemory()._wasm_pdf_to_num(value);
}

/** The names of keys in MuPDF's memory. They are few, and stay there. */
const keyAddresses = new Map<string, number>();

function keyAddress(key: string): number {
	const known = keyAddresses.get(key);
	if (known !== undefined) return known;
	const memory = mupdfMemory();
	const address = memory._wasm_malloc(key.length + 1);
	memory.stringToUTF8(key, address, key.length + 1);
	keyAddresses.set(key, address);
	return address;
}

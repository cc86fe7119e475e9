/** Imports MuPDF with access to its WebAssembly memory. Characters are read from there, since one API call for each would be too slow. */

import { fileURLToPath } from "node:url";

export interface MupdfMemory {
	/** Views of the memory. MuPDF replaces them when the memory grows, so read them anew for each page. */
	readonly HEAP32: Int32Array;
	readonly HEAPF32: Float32Array;
	readonly _wasm_stext_page_get_first_block: (page: number) => number;
	readonly _wasm_font_is_bold: (font: number) => number;
	readonly _wasm_font_is_italic: (font: number) => number;
	readonly _wasm_font_is_monospaced: (font: number) => number;
	readonly _wasm_font_get_name: (font: number) => number;
	readonly _wasm_pdf_dict_gets: (dictionary: number, key: number) => number;
	readonly _wasm_pdf_array_get: (array: number, index: number) => number;
	readonly _wasm_pdf_array_len: (array: number) => number;
	readonly _wasm_pdf_is_dict: (value: number) => number;
	readonly _wasm_pdf_is_array: (value: number) => number;
	readonly _wasm_pdf_is_number: (value: number) => number;
	readonly _wasm_pdf_to_real: (value: number) => number;
	readonly _wasm_pdf_is_name: (value: number) => number;
	readonly _wasm_pdf_to_name: (value: number) => number;
	readonly _wasm_pdf_is_indirect: (value: number) => number;
	readonly _wasm_pdf_to_num: (value: number) => number;
	readonly _wasm_malloc: (bytes: number) => number;
	readonly stringToUTF8: (text: string, address: number, bytesMax: number) => void;
	readonly UTF8ToString: (address: number) => string;
}

/**
 * MuPDF fills a global object of this name during import. A second copy that is imported at the same time would fill it too, and both
 * would share one memory. Therefore all code imports MuPDF from here.
 */
const module: object = {};
Object.assign(globalThis, { $libmupdf_wasm_Module: module });

/** The query string makes this a separate module instance, since MuPDF may already have been imported in this process. */
export const mupdf = (await import(`${fileURLToPath(import.meta.resolve("mupdf"))}?own`)) as typeof import("mupdf");
Reflect.deleteProperty(globalThis, "$libmupdf_wasm_Module");

export function mupdfMemory(): MupdfMemory {
	return module as MupdfMemory;
}

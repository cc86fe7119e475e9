/** MuPDF, and the memory it computes in: a page's letters are read there, for asking for each of them costs more than finding them did. */

import { fileURLToPath } from "node:url";

export interface MupdfMemory {
	/** The same bytes as numbers. They are other arrays once the memory has grown: to be asked for anew for each page. */
	readonly HEAP32: Int32Array;
	readonly HEAPF32: Float32Array;
	readonly _wasm_stext_page_get_first_block: (page: number) => number;
	readonly _wasm_font_is_bold: (font: number) => number;
	readonly _wasm_font_is_monospaced: (font: number) => number;
}

/**
 * MuPDF fills an object of this name, where it finds one while it is imported, with what it is made of. Another copy that is imported
 * at the very same time would fill it too, and both would write into one memory: whoever needs MuPDF beside this file takes it from here.
 */
const module: object = {};
Object.assign(globalThis, { $libmupdf_wasm_Module: module });

/** A copy of its own: MuPDF may have been imported in this process before, and one copy is made of one module. */
export const mupdf = (await import(`${fileURLToPath(import.meta.resolve("mupdf"))}?own`)) as typeof import("mupdf");
Reflect.deleteProperty(globalThis, "$libmupdf_wasm_Module");

export function mupdfMemory(): MupdfMemory {
	return module as MupdfMemory;
}

/** MuPDF with access to its WebAssembly memory: letters are read from there, since an API call for each would be slower than the extraction. */

import { fileURLToPath } from "node:url";

export interface MupdfMemory {
	/** Views of the memory, which are replaced when it grows: to be read anew for each page. */
	readonly HEAP32: Int32Array;
	readonly HEAPF32: Float32Array;
	readonly _wasm_stext_page_get_first_block: (page: number) => number;
	readonly _wasm_font_is_bold: (font: number) => number;
	readonly _wasm_font_is_monospaced: (font: number) => number;
}

/**
 * MuPDF fills a global object of this name during import. A second copy imported at the same time would fill it too, and both
 * would share one memory: so all code imports MuPDF from here.
 */
const module: object = {};
Object.assign(globalThis, { $libmupdf_wasm_Module: module });

/** The query string makes a separate module instance, as MuPDF may have been imported in this process before. */
export const mupdf = (await import(`${fileURLToPath(import.meta.resolve("mupdf"))}?own`)) as typeof import("mupdf");
Reflect.deleteProperty(globalThis, "$libmupdf_wasm_Module");

export function mupdfMemory(): MupdfMemory {
	return module as MupdfMemory;
}

/** The scan of a vector matrix as WebAssembly, whose source with all that is to be said about it is `scan.wat`. */

import { readFileSync } from "node:fs";

/** Where the tables of the query are: 16 bytes for each four dimensions. */
export const tablesAt = 64;
/** An entry of `out`: the place of the vector, its sum of signs, its inner product. Four bytes each. */
export const entryBytes = 12;
export const blockVectors = 16;
/** One step of the innermost loop: so many dimensions take two bytes of each vector. */
export const groupDimensions = 16;
/** `compare` takes so many entries at a time. */
export const comparedAtOnce = 4;

export interface ScanKernel {
	readonly memory: WebAssembly.Memory;
	readonly scan: (codes: number, groups: number, first: number, end: number, step: number, least: number, out: number) => number;
	readonly compare: (query: number, rows: number, rowBytes: number, out: number, count: number) => void;
	readonly enter: (row: number, groups: number, codes: number) => number;
}

let compiled: WebAssembly.Module | null = null;

/** With a memory of its own. */
export function newScanKernel(): ScanKernel {
	compiled ??= new WebAssembly.Module(readFileSync(new URL("./scan.wasm", import.meta.url)));
	return new WebAssembly.Instance(compiled).exports as unknown as ScanKernel;
}

/** The scan of a vector matrix in WebAssembly. Its source, with explanations, is `scan.wat`. */

import { readFileSync } from "node:fs";

/** Offset of the query's tables in the memory: 16 bytes for each four dimensions. */
export const tablesAt = 64;
/** Bytes of an entry in `out`: the index of the vector, its sum of signs and its inner product, four bytes each. */
export const entryBytes = 12;
export const blockVectors = 16;
/** Dimensions per step of the innermost loop: two bytes of each vector. */
export const groupDimensions = 16;
/** Entries per step of `compare`. */
export const comparedAtOnce = 4;

export interface ScanKernel {
	readonly memory: WebAssembly.Memory;
	readonly scan: (codes: number, groups: number, first: number, end: number, step: number, least: number, out: number) => number;
	readonly scanEight: (eight: number, codes: number, groups: number, first: number, end: number, step: number) => void;
	readonly compare: (query: number, rows: number, rowBytes: number, out: number, count: number) => void;
	readonly enter: (row: number, groups: number, codes: number) => number;
}

/** How many queries `scanEight` has, and the offsets of what it reads and writes: see `scan.wat`. */
export const queriesAtOnce = 8;
export const eightOffsets = { nexts: 128, leasts: 160, tables: 192 } as const;

let compiled: WebAssembly.Module | null = null;

/** A new instance with a memory of its own. */
export function newScanKernel(): ScanKernel {
	compiled ??= new WebAssembly.Module(readFileSync(new URL("./scan.wasm", import.meta.url)));
	return new WebAssembly.Instance(compiled).exports as unknown as ScanKernel;
}

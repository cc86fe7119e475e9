/**
 * The space of a page that no row has. `secure_delete` overwrites rows that are deleted, but when SQLite shares the rows of full pages out
 * among more pages, copies of those that moved stay there, and are still there when the rows themselves are long deleted. The layout of pages
 * is section 1.6 of https://www.sqlite.org/fileformat2.html.
 */

/** Where the header of the first page begins: after that of the file. */
const fileHeaderBytes = 100;
/** By the kind of page: inner pages of indexes and tables have a pointer more than their leaves. */
const headerBytes: ReadonlyMap<number, number> = new Map([
	[2, 12],
	[5, 12],
	[10, 8],
	[13, 8],
]);

/**
 * Overwrites the gap with zeros. A page of another kind is left alone: as long as a file has fewer than 2^25 pages, the number it begins with
 * is too small to be taken for a kind. A file with `auto_vacuum` has pages of which that is not true.
 * @param page is changed
 * @param number of the page, from 1
 * @returns whether something was there
 */
export function clearGap(page: Uint8Array, number: number): boolean {
	const start = number === 1 ? fileHeaderBytes : 0;
	const header = headerBytes.get(page[start] ?? 0);
	if (header === undefined) return false;
	const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
	const from = start + header + 2 * view.getUint16(start + 3);
	// 0 stands for 65,536, which does not fit.
	const to = view.getUint16(start + 5) || 65_536;
	if (to > page.byteLength || from >= to) return false;
	const gap = page.subarray(from, to);
	if (gap.every((byte) => byte === 0)) return false;
	gap.fill(0);
	return true;
}

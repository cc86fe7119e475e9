/**
 * The unused space of a page. `secure_delete` overwrites deleted rows. But when SQLite moves rows from a full page to others, it leaves
 * copies of them in the unused space, and these stay even after the rows are deleted. The layout of pages
 * is section 1.6 of https://www.sqlite.org/fileformat2.html.
 */

/** The header of the first page begins after the header of the file, which has this length. */
const fileHeaderBytes = 100;
/** The length of the page header by the kind of page: inner pages have one pointer more than leaves. */
const headerBytes: ReadonlyMap<number, number> = new Map([
	[2, 12],
	[5, 12],
	[10, 8],
	[13, 8],
]);

/**
 * Overwrites the unused space with zeros. Other kinds of pages are not changed: they begin with a page number, and if the file has fewer than
 * 2^25 pages, the first byte of that number is not one of the kinds. This is not true for files with `auto_vacuum`.
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

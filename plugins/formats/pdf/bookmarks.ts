/** The bookmarks of a PDF: what a reader lists beside its pages are the names of their parts. */

import type { Document } from "mupdf";

/** A catalogue has a bookmark for each thing in it: those are no headings. */
const bookmarksMax = 2_000;
const depthMax = 6;

/** Their titles, as headings are compared. */
export type Bookmarks = ReadonlySet<string>;

export function bookmarksOf(document: Document): Bookmarks {
	const titles = new Set<string>();
	try {
		const iterator = document.outlineIterator();
		try {
			const visit = (depth: number): boolean => {
				for (let item = iterator.item(); item !== null; item = iterator.next() === 0 ? iterator.item() : null) {
					if (titles.size >= bookmarksMax) return false;
					titles.add(asCompared(item.title ?? ""));
					if (depth >= depthMax || iterator.down() < 0) continue;
					if (iterator.item() !== null && !visit(depth + 1)) return false;
					iterator.up();
				}
				return true;
			};
			return visit(1) ? titles : new Set();
		} finally {
			iterator.destroy();
		}
	} catch {
		return new Set(); // a damaged list of bookmarks names nothing
	}
}

/** Without its number, which one of both may lack. */
export function asCompared(title: string): string {
	return title
		.replace(/^\s*(?:(?:[IVX]+|[A-Z]|\d+)(?:\.\d+)*[.)]?|§\s*\d+)\s+/, "")
		.replace(/[^\p{L}\p{N}]+/gu, "")
		.toLowerCase();
}

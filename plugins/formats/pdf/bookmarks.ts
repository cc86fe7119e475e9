/** Reads the bookmarks of a PDF, which are the titles of its sections. */

import type { Document } from "mupdf";

/** If there are more bookmarks, as in a catalogue, they are not headings and are ignored. */
const bookmarksMax = 2_000;
const depthMax = 6;

/** The titles, normalised by `normalizeTitle`. */
export type Bookmarks = ReadonlySet<string>;

export function bookmarksOf(document: Document): Bookmarks {
	const titles = new Set<string>();
	try {
		const iterator = document.outlineIterator();
		try {
			const visit = (depth: number): boolean => {
				for (let item = iterator.item(); item !== null; item = iterator.next() === 0 ? iterator.item() : null) {
					if (titles.size >= bookmarksMax) return false;
					titles.add(normalizeTitle(item.title ?? ""));
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
		return new Set(); // a PDF with damaged bookmarks is treated as one without
	}
}

/** Normalises a title for comparison. Removes the section number, which the bookmark or the heading may lack. */
export function normalizeTitle(title: string): string {
	return title
		.replace(/^\s*(?:(?:[IVX]+|[A-Z]|\d+)(?:\.\d+)*[.)]?|§\s*\d+)\s+/, "")
		.replace(/[^\p{L}\p{N}]+/gu, "")
		.toLowerCase();
}

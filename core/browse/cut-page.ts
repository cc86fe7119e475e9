/** Pages of a list: one item more than shown is read; if it is there, there is a next page. */

import type { Page, Position } from "../ports/document-store.ts";

interface Listable {
	readonly id: string;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

export interface Cut<Item> {
	readonly shown: readonly Item[];
	/** Of the last one shown; null at the end of the list. */
	readonly next: Position | null;
}

export function withOneMore(page: Page): Page {
	return { ...page, limit: page.limit + 1 };
}

/** @param items what came for `withOneMore(page)`. */
export function cutPage<Item extends Listable>(items: readonly Item[], { limit, sort }: Page): Cut<Item> {
	const shown = items.slice(0, limit);
	const last = shown.at(-1);
	return { shown, next: items.length > shown.length && last !== undefined ? { at: last[sort], id: last.id } : null };
}

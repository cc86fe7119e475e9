/** Pages of a list. One item more than the limit is read; if it exists, there is a next page. */

import type { Page, Position } from "../ports/document-store.ts";

interface Listable {
	readonly id: string;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

export interface Cut<Item> {
	readonly items: readonly Item[];
	/** The position of the last item on the page; null if there is no next page. */
	readonly next: Position | null;
}

export function withOneMore(page: Page): Page {
	return { ...page, limit: page.limit + 1 };
}

/** @param items what a read of `withOneMore(page)` has returned */
export function cutPage<Item extends Listable>(listed: readonly Item[], { limit, sort }: Page): Cut<Item> {
	const items = listed.slice(0, limit);
	const last = items.at(-1);
	return { items, next: listed.length > items.length && last !== undefined ? { at: last[sort], id: last.id } : null };
}

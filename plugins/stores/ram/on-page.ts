/** Puts what is listed in the order of a page, and takes the page out of it. */

import type { Page } from "cairn-memory";

interface Listable {
	readonly id: string;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

export function onPage<Item extends Listable>(items: readonly Item[], { offset, limit, sort, order, after }: Page): readonly Item[] {
	const direction = order === "asc" ? 1 : -1;
	const compare = (at: Date, id: string, item: Item) => direction * (at.getTime() - item[sort].getTime() || (id < item.id ? -1 : Number(id > item.id)));
	const sorted = items.toSorted((a, b) => compare(a[sort], a.id, b));
	const left = after === undefined ? sorted : sorted.filter((item) => compare(after.at, after.id, item) < 0);
	return left.slice(offset, offset + limit);
}

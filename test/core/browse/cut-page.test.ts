/** Where a list goes on. */

import { expect, test } from "bun:test";
import { cutPage, withOneMore } from "../../../core/browse/cut-page.ts";
import type { Page } from "../../../core/ports/document-store.ts";

const page: Page = { offset: 0, limit: 2, sort: "updatedAt", order: "desc" };
const items = [1, 2, 3].map((n) => ({ id: `item${n}`, createdAt: new Date(n), updatedAt: new Date(10 * n) }));

test("one more is asked for, and when it comes the next page begins after the last one shown", () => {
	expect(withOneMore(page).limit).toBe(3);
	expect(cutPage(items, page)).toEqual({ items: items.slice(0, 2), next: { at: new Date(20), id: "item2" } });
});

test("what fits on one page has no next, and neither has nothing", () => {
	expect(cutPage(items.slice(0, 2), page)).toEqual({ items: items.slice(0, 2), next: null });
	expect(cutPage([], page)).toEqual({ items: [], next: null });
});

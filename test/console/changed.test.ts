/** What a form of the console sends back. */

import { expect, test } from "bun:test";
import { changed } from "../../console/parts/changed.ts";

test("only what differs is sent, also where it is new, empty or a list", () => {
	const before = { name: "Shelf\u001b", emoji: "", tags: ["a", "b"], note: "old" };
	expect(changed(before, { ...before, tags: ["a", "b"] })).toEqual({});
	expect(changed<object>(before, { ...before, tags: ["b"], note: null, added: 0 })).toEqual({ tags: ["b"], note: null, added: 0 });
});

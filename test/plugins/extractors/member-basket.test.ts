/** What an engine may hand over beside the text: so many bytes and no more. */

import { expect, test } from "bun:test";
import { limits, type Remark } from "cairn-memory";
import { createMemberBasket } from "../../../plugins/extractors/member-basket.ts";

test("what does not fit is left out and told once; what is smaller still fits", () => {
	const remarks: Remark[] = [];
	const basket = createMemberBasket(remarks);
	const member = (path: string, byteLength: number) => ({ path, bytes: new Uint8Array(byteLength), claimedMediaType: null });
	for (const [path, bytes] of [
		["a", limits.fileBytesMax],
		["b", limits.fileBytesMax - 10],
		["c", 11],
		["d", 12],
		["e", 10],
	] as const)
		basket.add(member(path, bytes));
	expect(basket.members.map(({ path }) => path)).toEqual(["a", "b", "e"]);
	expect(remarks.map(({ code }) => code)).toEqual(["MEMBERS_UNREAD"]);
});

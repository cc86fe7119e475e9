/** What an engine may hand over beside the text: so many bytes and no more. */

import { expect, test } from "bun:test";
import { limits, type Warning } from "cairn-memory";
import { createAttachmentBasket } from "../../../../plugins/formats/blocks/attachment-basket.ts";

test("what does not fit is left out and told once; what is smaller still fits", () => {
	const warnings: Warning[] = [];
	const basket = createAttachmentBasket(warnings);
	const member = (path: string, byteLength: number) => ({ path, bytes: new Uint8Array(byteLength), claimedMediaType: null });
	for (const [path, bytes] of [
		["a", limits.fileBytesMax],
		["b", limits.fileBytesMax - 10],
		["c", 11],
		["d", 12],
		["e", 10],
	] as const)
		basket.add(member(path, bytes));
	expect(basket.attachments.map(({ path }) => path)).toEqual(["a", "b", "e"]);
	expect(warnings.map(({ code }) => code)).toEqual(["MEMBERS_UNREAD"]);
});

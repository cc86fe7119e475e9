/** An AVIF is set upright as its properties say, and stays as it is where they cannot be read. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { avifOrientation } from "../../../../plugins/formats/image/avif-orientation.ts";
import { rotateUpright } from "../../../../plugins/formats/ocr/gray-image.ts";
import { turnedAvif } from "../../../doubles/turned-avif.ts";

const strip = new Uint8Array(await Bun.file(join(import.meta.dir, "../../../fixtures/extractors/strip.avif")).arrayBuffer());
const picture = { data: new Uint8Array([1, 2, 3, 4, 5, 6]), width: 3, height: 2 };
const turnedLeft = 8;
const mirrors = [
	[null, 1],
	[0, 4],
	[1, 2],
] as const;

for (const quarterTurns of [0, 1, 2, 3]) {
	for (const [mirror, mirrored] of mirrors) {
		test(`${quarterTurns} quarter turns against the clock, then mirrored by ${mirror}`, () => {
			let expected: { readonly data: Uint8Array; readonly width: number; readonly height: number } = picture;
			for (let turn = 0; turn < quarterTurns; turn++) expected = rotateUpright(expected, turnedLeft);
			expected = rotateUpright(expected, mirrored);
			expect(rotateUpright(picture, avifOrientation(turnedAvif(strip, quarterTurns, mirror)))).toEqual(expected);
		});
	}
}

test("without such properties, cut anywhere, or with numbers that lead nowhere it is upright", () => {
	expect(avifOrientation(strip)).toBe(1);
	const turned = turnedAvif(strip, 1, null);
	for (let length = 0; length < 0x108; length++) expect(avifOrientation(turned.subarray(0, length))).toBeOneOf([1, turnedLeft]);
	const endless = turned.slice();
	endless.set([0xff, 0xff, 0xff, 0xff], endless.length - strip.length + Buffer.from(strip).indexOf("ipma") + 8); // so many items
	expect(avifOrientation(endless)).toBe(turnedLeft);
});

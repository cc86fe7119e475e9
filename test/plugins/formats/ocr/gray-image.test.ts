/** Pictures are set upright as EXIF says. */

import { expect, test } from "bun:test";
import { rotateUpright } from "../../../../plugins/formats/ocr/gray-image.ts";

const picture = { data: new Uint8Array([1, 2, 3, 4, 5, 6]), width: 3, height: 2 };

test.each([
	[1, "123 456"],
	[2, "321 654"],
	[3, "654 321"],
	[4, "456 123"],
	[5, "14 25 36"],
	[6, "41 52 63"],
	[7, "63 52 41"],
	[8, "36 25 14"],
	[9, "123 456"],
])("orientation %d", (orientation, rows) => {
	const { data, width, height } = rotateUpright(picture, orientation);
	const told = Array.from({ length: height }, (_, row) => data.subarray(row * width, (row + 1) * width).join(""));
	expect(told.join(" ")).toBe(rows);
});

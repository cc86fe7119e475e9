/** Formats of numbers as strangers write them: whatever stands in a file, a cell shows something. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { compileFormat } from "../../../../plugins/formats/sheets/number-format.ts";

const code = fc.string({ unit: fc.constantFrom(...'0#?.,%;E+-[]"\\_*@/ dmyhs$€<>=1A'), maxLength: 40 });
const values = [0, -1.5, 1 / 3, 45_000.25, 1e21, Number.MAX_VALUE];

test("any code shows any number, and never nothing", () => {
	fc.assert(
		fc.property(code, (code) => {
			for (const value of values) expect(compileFormat(code)(value, false)).not.toBe("");
		}),
		{ seed: 7, numRuns: 1_000 },
	);
});

test("a code of a megabyte shows the number all the same", () => {
	expect(compileFormat("#".repeat(1_000_000))(7, false)).toBe("7");
});

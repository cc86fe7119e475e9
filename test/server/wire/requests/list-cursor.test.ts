/** Cursors come back as they went out, and nothing else is taken for one. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ListCursor, readCursor, writeCursor } from "../../../../server/wire/requests/list-cursor.ts";

const cursor: ListCursor = { sort: "updatedAt", order: "asc", after: { at: new Date(1_763_000_000_123), id: "2nJ8vQyT5hZrK1wXbC4dEf" }, number: 7 };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const fields = ["updatedAt", "asc", 1_763_000_000_123, "2nJ8vQyT5hZrK1wXbC4dEf", 7];

test("a cursor comes back as it went out", () => {
	expect(readCursor(writeCursor(cursor))).toEqual(cursor);
	expect(writeCursor(cursor)).toBe(encode([1, ...fields]));
});

const garbage: Readonly<Record<string, string>> = {
	nothing: "",
	words: "made up",
	"no JSON": Buffer.from("{[").toString("base64url"),
	"no list": encode({ sort: "createdAt" }),
	"another format": encode([2, ...fields]),
	"another order": encode([1, "createdAt", "sideways", ...fields.slice(2)]),
	"another sort": encode([1, "organisation", ...fields.slice(1)]),
	"a time as text": encode([1, "createdAt", "asc", "0", ...fields.slice(3)]),
	"a time that is none": encode([1, "createdAt", "asc", 1e300, ...fields.slice(3)]),
	"an id that is none": encode([1, "createdAt", "asc", 0, "' OR 1=1 --", 1]),
	"page 0": encode([1, ...fields.slice(0, 4), 0]),
	"more than there is": encode([1, ...fields, "x"]),
	"padding behind": `${writeCursor(cursor)}==`,
	"much too much": "a".repeat(100_000),
};
for (const [name, text] of Object.entries(garbage)) {
	test(`${name} is no cursor`, () => {
		expect(() => readCursor(text)).toThrow("this server has not issued this cursor");
	});
}

test("whatever is sent, it is a cursor or it is refused by its code", () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.json().map(encode), fc.array(fc.jsonValue()).map(encode)), (text) => {
			try {
				readCursor(text);
			} catch (thrown) {
				expect(thrown).toMatchObject({ code: "CURSOR_INVALID" });
			}
		}),
		{ seed: 1, numRuns: 300 },
	);
});

/** What a filter means. */

import { describe, expect, test } from "bun:test";
import { type Condition, type Filter, type Metadata, matches } from "cairn-memory/stores";

const book: Metadata = { title: "Ein Haus", year: 1984, text: "12.5", draft: false, tags: ["red", "Blue"], odd: "__proto__" };

const condition = (overrides: { readonly key: string; readonly kind: Condition["kind"]; readonly [member: string]: unknown }): Filter =>
	({ negate: false, ignoreCase: false, value: "", operator: "=", ...overrides }) as Filter;

describe("one condition", () => {
	const cases: readonly [string, Filter, boolean][] = [
		["text equals", condition({ kind: "equals", key: "title", value: "Ein Haus" }), true],
		["case counts", condition({ kind: "equals", key: "title", value: "ein haus" }), false],
		["case does not count when told", condition({ kind: "equals", key: "title", value: "ein haus", ignoreCase: true }), true],
		["a number by its text", condition({ kind: "equals", key: "year", value: "1984" }), true],
		["a boolean by its text", condition({ kind: "equals", key: "draft", value: "false" }), true],
		["any element of a list", condition({ kind: "equals", key: "tags", value: "Blue" }), true],
		["a missing key", condition({ kind: "equals", key: "none", value: "" }), false],
		["a missing key, negated", condition({ kind: "equals", key: "none", value: "x", negate: true }), true],
		["a key of every object", condition({ kind: "equals", key: "constructor", value: "x" }), false],
		["number compared", condition({ kind: "numeric", key: "year", value: 1984, operator: ">=" }), true],
		["numeric text compared", condition({ kind: "numeric", key: "text", value: 12, operator: ">" }), true],
		["text is no number", condition({ kind: "numeric", key: "title", value: 0, operator: ">=" }), false],
		["a boolean is no number", condition({ kind: "numeric", key: "draft", value: 0, operator: "=" }), false],
		["a number negated", condition({ kind: "numeric", key: "year", value: 1984, operator: ">", negate: true }), true],
		["element of a list", condition({ kind: "contains-element", key: "tags", value: "red" }), true],
		["element that is the value alone", condition({ kind: "contains-element", key: "title", value: "Ein Haus" }), true],
		["part of an element is no element", condition({ kind: "contains-element", key: "tags", value: "re" }), false],
		["part of a text", condition({ kind: "contains-text", key: "title", value: "Hau" }), true],
		["signs are only signs", condition({ kind: "contains-text", key: "title", value: "%" }), false],
	];
	for (const [name, filter, expected] of cases) test(name, () => expect(matches(filter, book)).toBe(expected));
});

test("groups nest, and an empty one sets no condition", () => {
	const yes = condition({ kind: "equals", key: "year", value: "1984" });
	const no = condition({ kind: "equals", key: "year", value: "1985" });
	expect(matches({ kind: "and", parts: [yes, { kind: "or", parts: [no, yes] }] }, book)).toBe(true);
	expect(matches({ kind: "and", parts: [yes, no] }, book)).toBe(false);
	expect(matches({ kind: "or", parts: [] }, book)).toBe(true);
	expect(matches({ kind: "and", parts: [] }, book)).toBe(true);
});

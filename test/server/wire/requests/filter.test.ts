/** Filters as clients send them. */

import { describe, expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import { type Metadata, matches } from "cairn-memory/stores";
import fc from "fast-check";
import { parseFilter } from "../../../../server/wire/requests/filter.ts";

const passes = (raw: unknown, metadata: Metadata) => {
	const filter = parseFilter(raw);
	return filter === null || matches(filter, metadata);
};
const code = (raw: unknown) => {
	try {
		parseFilter(raw);
		return "accepted";
	} catch (thrown) {
		return thrown instanceof ServiceError ? thrown.code : "crashed";
	}
};
const nested = (depth: number): unknown => (depth === 0 ? { key: "a", value: "1" } : { AND: [nested(depth - 1)] });
const many = (count: number) => ({ AND: Array.from({ length: count }, () => ({ key: "a", value: "1" })) });

describe("means what the contract says", () => {
	const cases: readonly [string, unknown, Metadata, boolean][] = [
		["the specification's form", { AND: [{ key: "category", value: "ai", negate: false }] }, { category: "ai" }, true],
		["as JSON text", '{"AND":[{"key":"category","value":"ai"}]}', { category: "ml" }, false],
		[
			"either",
			{
				OR: [
					{ key: "team", value: "eng" },
					{ key: "team", value: "product" },
				],
			},
			{ team: "product" },
			true,
		],
		[
			"nested, missing key passes a negation",
			{ AND: [{ OR: [{ key: "c", value: "tech" }] }, { key: "status", value: "archived", negate: true }] },
			{ c: "tech" },
			true,
		],
		["numeric", { AND: [{ filterType: "numeric", key: "year", value: "2024", numericOperator: ">=" }] }, { year: 2025 }, true],
		["numeric negated", { AND: [{ filterType: "numeric", key: "year", value: "2024", numericOperator: ">=", negate: true }] }, {}, true],
		["not equal", { AND: [{ filterType: "numeric", key: "year", value: "2024", numericOperator: "!=" }] }, { year: 2024 }, false],
		["flags as text", { AND: [{ filterType: "string_contains", key: "title", value: "React", ignoreCase: "true" }] }, { title: "on react" }, true],
		["a boolean as text", { AND: [{ key: "published", value: "true" }] }, { published: true }, true],
		["an operator that does not belong is ignored", { AND: [{ filterType: "metadata", key: "a", value: "1", numericOperator: ">" }] }, { a: 1 }, true],
		["array_contains", { AND: [{ filterType: "array_contains", key: "p", value: "alice" }] }, { p: ["bob", "alice"] }, true],
		["AND and OR side by side", { AND: [{ key: "a", value: "1" }], OR: [{ key: "b", value: "2" }] }, { a: 1, b: 3 }, false],
		["the older record form", { a: "1", b: true }, { a: 1, b: true }, true],
		["nothing", null, {}, true],
		["an empty group", { AND: [] }, {}, true],
	];
	for (const [name, raw, metadata, expected] of cases) test(name, () => expect(passes(raw, metadata)).toBe(expected));
});

describe("refuses", () => {
	const cases: readonly [string, unknown, string][] = [
		["a bare condition", { key: "a", value: "b" }, "FILTER_MALFORMED"],
		["broken JSON", "{", "FILTER_MALFORMED"],
		["a list", [], "FILTER_MALFORMED"],
		["a group that is no list", { AND: {} }, "FILTER_MALFORMED"],
		["nine levels", nested(9), "FILTER_TOO_COMPLEX"],
		["201 conditions", many(201), "FILTER_TOO_COMPLEX"],
		["an unsafe key", { AND: [{ key: "a'; DROP TABLE documents; --", value: "b" }] }, "FILTER_KEY_UNSAFE"],
		["an unknown type", { AND: [{ key: "a", value: "b", filterType: "regex" }] }, "FILTER_MALFORMED"],
		["a number that is none", { AND: [{ key: "a", value: "1e400", filterType: "numeric" }] }, "FILTER_MALFORMED"],
		["an object as a value", { AND: [{ key: "a", value: {} }] }, "FILTER_MALFORMED"],
		["an odd flag", { AND: [{ key: "a", value: "b", negate: "maybe" }] }, "FILTER_MALFORMED"],
	];
	for (const [name, raw, expected] of cases) test(name, () => expect(code(raw)).toBe(expected));
	test("but not eight levels and 200 conditions", () => expect([code(nested(8)), code(many(200))]).toEqual(["accepted", "accepted"]));
});

test("whatever comes, it is accepted or refused with a code", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (raw) => code(raw) !== "crashed" && code(JSON.stringify(raw)) !== "crashed"),
		{ seed: 3, numRuns: 500 },
	);
});

test("what docs/filters.md shows is a filter, and means what it says", async () => {
	const page = await Bun.file(new URL("../../../../docs/filters.md", import.meta.url)).text();
	const shown = [...page.matchAll(/```json\n([\s\S]+?)\n```/g)].map(([, text = ""]) => text);
	const search = /-d '(\{[\s\S]+?\})'/.exec(page)?.[1] ?? "";
	expect(shown).toHaveLength(2);
	expect(shown.map((text) => passes(text, { author: "Ada", published: true, title: "On React", status: "new" }))).toEqual([true, true]);
	expect(shown.map((text) => passes(text, { author: "Ada", published: false, title: "On React", status: "archived" }))).toEqual([false, false]);
	const { filters } = JSON.parse(search) as { readonly filters: unknown };
	expect([2023, 2024].map((year) => passes(filters, { author: "Ada", year }))).toEqual([false, true]);
});

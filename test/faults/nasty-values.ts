/** Values that have broken servers before, and values of an OpenAPI schema with some of them put in. */

import fc from "fast-check";

/** As much of OpenAPI 3.0 as our description uses. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly Schema[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly additionalProperties?: Schema | boolean;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly pattern?: string;
}

/** What JSON.stringify would not write: it is put into the text afterwards, where its mark stands. */
const rawTokens = [
	"1e400",
	"-1e400",
	"123456789012345678901234567890",
	"0.1e-400",
	'{"a":1,"a":{"b":2}}',
	'{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
	'"\\ud800"',
	'"a\\u0000b"',
	'{"\\ud800\\u0000":"\\udfff"}',
	"NaN",
	"undefined",
	"'single'",
	"01",
	`${"[".repeat(2_000)}${"]".repeat(2_000)}`,
	`${'{"AND":['.repeat(60)}{"key":"a","value":"b"}${"]}".repeat(60)}`,
];
const mark = "@raw:";

/** JSON text with the marked tokens put in. */
export function toJson(value: unknown): string {
	return (JSON.stringify(value) ?? "null").replaceAll(new RegExp(`"${mark}(\\d+)"`, "g"), (_whole, index: string) => rawTokens[Number(index)] ?? "null");
}

const texts = [
	"",
	" ",
	"\n",
	"NaN",
	"1e400",
	"10",
	"true",
	"null",
	"*",
	"__proto__",
	"constructor",
	"toString",
	"a\0b",
	"\ud800",
	"\udfff\ud800",
	"\u202egnp.exe",
	"../../../etc/passwd",
	"..\\..\\x",
	"%00%2e%2e%2f",
	"'; DROP TABLE documents; --",
	'" OR NEAR( a* ^ : -b',
	"{{7*7}}",
	'{"AND":[{"key":"a","value":"b"}]}',
	'{"AND":[',
	"[1",
	"$.a[0]",
	"a\r\nset-cookie: a=b",
	"データ👩‍👩‍👧‍👦é",
];
const conditions = fc.record(
	{
		key: fc.constantFrom("a", "__proto__", "a.b", "$x", "", "k".repeat(65)),
		value: fc.constantFrom<unknown>("x", 1, true, null, {}, "1e400"),
		filterType: fc.constantFrom<unknown>("metadata", "numeric", "array_contains", "string_contains", "regex", 1),
		negate: fc.constantFrom<unknown>(true, "true", "yes", 0),
		numericOperator: fc.constantFrom<unknown>(">", "!=", "~", null),
	},
	{ requiredKeys: ["key", "value"] },
);

/** Anything at all, seldom large. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom<unknown>(...texts) },
	{
		weight: 6,
		arbitrary: fc.constantFrom<unknown>(
			null,
			true,
			false,
			0,
			-1,
			1.5,
			101,
			1e9,
			1e308,
			2 ** 53 + 1,
			[],
			{},
			[[]],
			[null],
			{ AND: [] },
			{ OR: {} },
			{ a: { b: 1 } },
		),
	},
	{ weight: 4, arbitrary: fc.nat(rawTokens.length - 1).map((index) => `${mark}${index}`) },
	{ weight: 3, arbitrary: fc.record({ AND: fc.array(fc.oneof(conditions, fc.record({ OR: fc.array(conditions, { maxLength: 3 }) })), { maxLength: 4 }) }) },
	{ weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
	{ weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<unknown>(
			"x".repeat(300),
			"é".repeat(11_000),
			Array.from({ length: 700 }, (_, i) => `t${i}`),
		),
	},
);
/** Sent only where it will not become a document: a worker would chew on each of them. */
export const megabyte = "m ".repeat(500_000);

const word = fc.constantFrom("ada", "wrote", "the", "first", "program", "user_1", "note-2");

/** A value of the schema, in which here and there something is not. */
export function almost(schema: Schema, known: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
	return fc.oneof({ weight: 15, arbitrary: proper(schema, known) }, { weight: 1, arbitrary: nasty });
}

function proper(schema: Schema, known: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
	if (schema.$ref !== undefined) return almost(known[schema.$ref.split("/").at(-1) ?? ""] ?? {}, known);
	if (schema.enum !== undefined) return fc.constantFrom<unknown>(...schema.enum);
	if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((choice) => almost(choice, known)));
	switch (schema.type) {
		case "integer":
		case "number":
			return fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1, (schema.minimum ?? 0) + 0.5, Math.min(schema.maximum ?? 5, 5));
		case "boolean":
			return fc.boolean();
		case "array":
			return fc.array(almost(schema.items ?? {}, known), { maxLength: 4 });
		case "string":
			return schema.pattern === undefined ? fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")) : word;
		case "object":
			return object(schema, known);
		default:
			return nasty;
	}
}

function object({ properties = {}, required = [], additionalProperties }: Schema, known: Readonly<Record<string, Schema>>): fc.Arbitrary<unknown> {
	const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, almost(member, known)]));
	const named = fc.record(members, { requiredKeys: [...required] });
	const strangers = fc.dictionary(fc.constantFrom("constructor", "toString", "a b", "$ne", "a.b", "a\nb", "container_tag", ""), nasty, { maxKeys: 2 });
	const free = typeof additionalProperties === "object" ? fc.dictionary(word, almost(additionalProperties, known), { maxKeys: 3 }) : fc.constant({});
	return fc
		.tuple(named, free, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strangers }))
		.map((parts) => Object.assign({}, ...parts) as unknown);
}

/** An example of a response, made from its schema: each field has a value of the kind that its name and its type say. */

import type { TSchema } from "@sinclair/typebox";

const id = "jPn8ZVkSvPagc2rDnuMRQL";
const moment = "2026-03-04T09:30:00.000Z";
/** Values by the name of their field; `Id` and `Url` at its end count as well. */
const values: Readonly<Record<string, string | number | object>> = {
	...{ id, customId: "invoice-17", requestId: "7tq9XLHHiso_", conversationId: "chat-17", nextCursor: "eyJhdCI6MTc", version: 1, page: 2, position: 0 },
	...{ title: "A letter", content: "Ada moved to Lisbon in May.", chunk: "Ada moved to Lisbon in May.", memory: "Ada lives in Lisbon.", name: "Ada" },
	...{ summary: "Ada writes of her move.", containerTag: "user_123", containerTags: "user_123", filename: "letter.pdf", filepath: "/letters/may.pdf" },
	...{
		url: "https://example.com/letter",
		email: "ada@example.com",
		date: "2026-03-04",
		from: "2026-02-03",
		to: "2026-03-04",
		key: "sm_Mr3Ar9E2wpurjmkqCsMXBR_…",
	},
	...{
		score: 0.87,
		similarity: 0.87,
		timing: 12.4,
		total: 1,
		totalItems: 1,
		totalPages: 1,
		currentPage: 1,
		limit: 10,
		type: "text",
		model: "openai:gpt-4o-mini",
	},
	...{
		place: { page: 2, box: [72, 120, 523, 164] },
		span: [0, 27],
		static: ["Ada lives in Lisbon."],
		dynamic: ["Ada moved in May."],
		forgetReason: "She moved on.",
	},
	...{
		container_tags: "user_123",
		unit: "page",
		done: 3,
		cosine: 0.71,
		affinity: 0.78,
		words: 0.64,
		fused: 0.87,
		phrasing: "where does Ada live",
		exact: 0,
		around: 0,
	},
};

/** @param schemas by their `$id`, for those that refer to each other. */
export function responseExample(schema: TSchema, schemas: ReadonlyMap<string, TSchema>): unknown {
	return exampleOf(schema, "", schemas, []);
}

/** @param inside the schemas that this one is a part of: none holds itself. */
function exampleOf(schema: TSchema, name: string, schemas: ReadonlyMap<string, TSchema>, inside: readonly string[]): unknown {
	const { $ref: reference, const: literal, examples, anyOf, type } = schema;
	if (typeof reference === "string") {
		const named = schemas.get(reference);
		return named === undefined || inside.includes(reference) ? null : exampleOf(named, name, schemas, [...inside, reference]);
	}
	if (literal !== undefined) return literal;
	const value = values[name];
	if (typeof value === "object" && type === (Array.isArray(value) ? "array" : "object")) return value;
	if (Array.isArray(examples) && examples.length > 0) return examples[0];
	if (Array.isArray(anyOf)) return exampleOf(anyOf.find((choice: TSchema) => choice["type"] !== "null") ?? anyOf[0], name, schemas, inside);
	if (Array.isArray(schema["enum"])) return schema["enum"][0];
	if (type === "object") {
		const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, TSchema>>);
		return Object.fromEntries(fields.map(([field, value]) => [field, exampleOf(value, field, schemas, inside)]));
	}
	if (type === "array")
		return Array.isArray(schema["items"])
			? schema["items"].map((item: TSchema) => exampleOf(item, name, schemas, inside))
			: listOf(schema, name, schemas, inside);
	if (type === "string") return textOf(schema, name);
	if (type === "integer" || type === "number") return numberOf(schema, name);
	return type === "boolean" ? true : null;
}

function listOf(schema: TSchema, name: string, schemas: ReadonlyMap<string, TSchema>, inside: readonly string[]): readonly unknown[] {
	const { $ref: reference } = schema["items"] as TSchema;
	return typeof reference === "string" && inside.includes(reference) ? [] : [exampleOf(schema["items"], name, schemas, inside)];
}

function textOf({ format, pattern }: TSchema, name: string): string {
	if (format === "date-time" || /(?:At|Since|After|Time)$/.test(name)) return moment;
	const value = values[name] ?? (/(?:Id|Ids|By)$/.test(name) ? id : /Url$/i.test(name) ? values["url"] : undefined);
	return typeof value === "string" ? value : pattern === undefined ? name || "text" : "2026-03-04";
}

function numberOf({ type, minimum = 0, maximum = Number.POSITIVE_INFINITY }: TSchema, name: string): number {
	const value = values[name];
	const number = typeof value === "number" ? value : 1;
	return Math.min(Math.max(type === "integer" ? Math.round(number) : number, minimum), maximum);
}

/** Converts the query string of a GET request to the body that a POST would have: strings become values of the schema's types. */

import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { snakeCase } from "./reader.ts";

/**
 * Numbers and booleans are strings; lists are repeated, comma-separated or JSON; objects are JSON or `include.documents=true`.
 * A value that cannot be parsed is passed on unchanged, and validation by the schema then reports it.
 */
export function bodyFromQuery(url: URL, schema: TObject): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const [name, member] of Object.entries(schema.properties)) {
		const values = valuesOfParameter(url, name);
		if (values.length > 0) body[name] = parseValues(values, member);
		else if (member[Kind] === "Object") Object.assign(body, nestedFields(url, name));
	}
	return body;
}

function valuesOfParameter({ searchParams }: URL, name: string): readonly string[] {
	const spellings = new Set([name, `${name}[]`, snakeCase(name)]);
	return [...spellings].flatMap((spelling) => searchParams.getAll(spelling));
}

function parseValues(values: readonly string[], member: TSchema): unknown {
	const [first = ""] = values;
	switch (member[Kind]) {
		case "Number":
		case "Integer":
			return first.trim() === "" || Number.isNaN(Number(first)) ? first : Number(first);
		case "Boolean":
			return first === "true" || first === "1" ? true : first === "false" || first === "0" ? false : first;
		case "Object":
			return parseJson(first);
		case "Array":
			return parseList(values);
		case "Union":
			return member["anyOf"]?.some((choice: TSchema) => choice[Kind] === "Array") ? parseList(values) : first;
		default:
			return first;
	}
}

function parseList(values: readonly string[]): unknown {
	const [first = ""] = values;
	if (values.length === 1 && first.startsWith("[")) return parseJson(first);
	return values.flatMap((text) => text.split(",")).filter((text) => text !== "");
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** `include.documents=true` and `include[documents]=true` */
function nestedFields({ searchParams }: URL, name: string): Record<string, unknown> {
	const members: Record<string, unknown> = {};
	for (const [key, text] of searchParams) {
		const [, dotted, bracketed] = new RegExp(`^${name}(?:\\.(\\w+)|\\[(\\w+)\\])$`).exec(key) ?? [];
		const member = dotted ?? bracketed;
		if (member !== undefined) members[member] = text === "true" || text === "1";
	}
	return Object.keys(members).length > 0 ? { [name]: members } : {};
}

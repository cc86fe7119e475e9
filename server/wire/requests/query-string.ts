/** The query of a GET search → the body a POST would have had: text becomes what the schema wants. */

import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { snakeCase } from "./reader.ts";

/**
 * Numbers and booleans come as text, lists repeated, comma separated or as JSON, objects as JSON or `include.documents=true`.
 * What cannot be read is passed on as it is, and the schema's own complaint names it.
 */
export function bodyFromQuery(address: URL, schema: TObject): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const [name, member] of Object.entries(schema.properties)) {
		const given = valuesOf(address, name);
		if (given.length > 0) body[name] = fromText(given, member);
		else if (member[Kind] === "Object") Object.assign(body, nested(address, name));
	}
	return body;
}

function valuesOf({ searchParams }: URL, name: string): readonly string[] {
	return [name, `${name}[]`, snakeCase(name)].flatMap((spelling) => searchParams.getAll(spelling));
}

function fromText(given: readonly string[], member: TSchema): unknown {
	const [first = ""] = given;
	switch (member[Kind]) {
		case "Number":
		case "Integer":
			return first.trim() === "" || Number.isNaN(Number(first)) ? first : Number(first);
		case "Boolean":
			return first === "true" || first === "1" ? true : first === "false" || first === "0" ? false : first;
		case "Object":
			return parsed(first);
		case "Array":
			return listFrom(given);
		case "Union":
			return member["anyOf"]?.some((choice: TSchema) => choice[Kind] === "Array") ? listFrom(given) : first;
		default:
			return first;
	}
}

function listFrom(given: readonly string[]): unknown {
	const [first = ""] = given;
	if (given.length === 1 && first.startsWith("[")) return parsed(first);
	return given.flatMap((text) => text.split(",")).filter((text) => text !== "");
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** `include.documents=true` and `include[documents]=true` */
function nested({ searchParams }: URL, name: string): Record<string, unknown> {
	const members: Record<string, unknown> = {};
	for (const [key, text] of searchParams) {
		const [, dotted, bracketed] = new RegExp(`^${name}(?:\\.(\\w+)|\\[(\\w+)\\])$`).exec(key) ?? [];
		const member = dotted ?? bracketed;
		if (member !== undefined) members[member] = text === "true" || text === "1";
	}
	return Object.keys(members).length > 0 ? { [name]: members } : {};
}

/**
 * Creates a validating parser of request bodies from a TypeBox schema. The same schema goes into the OpenAPI description, so the two
 * always agree. Unknown members are ignored, because the official clients send some; `null` counts as absent unless the schema
 * allows it; snake_case is accepted besides camelCase, which takes precedence if both are sent.
 */

import { KindGuard, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { fail } from "../../../core/errors/fail.ts";
import { isRecord } from "./is-record.ts";
import { validationMessage } from "./validation-message.ts";

export function reader<Schema extends TObject>(schema: Schema): (raw: unknown) => Static<Schema> {
	const compiled = TypeCompiler.Compile(schema);
	return (raw) => {
		if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw fail("INPUT_INVALID", "the request should be a JSON object");
		const value: unknown = cleanTexts(knownMembers(raw, schema));
		if (compiled.Check(value)) return value;
		throw fail("INPUT_INVALID", validationMessage(compiled.Errors(value), raw, schema));
	};
}

/** A member of a schema, with both of its names. */
interface Property {
	readonly name: string;
	readonly snakeName: string;
	readonly schema: TSchema;
}

/** By schema, because making the names took longer than reading a request by them. */
const propertiesOf = new WeakMap<TObject, readonly Property[]>();

function properties(schema: TObject): readonly Property[] {
	const known = propertiesOf.get(schema);
	if (known !== undefined) return known;
	const made = Object.entries(schema.properties).map(([name, property]) => ({ name, snakeName: snakeCase(name), schema: property }));
	propertiesOf.set(schema, made);
	return made;
}

function knownMembers(raw: object, schema: TObject): Record<string, unknown> {
	const members = new Map(Object.entries(raw));
	const value: Record<string, unknown> = {};
	for (const { name, snakeName, schema: property } of properties(schema)) {
		const member = members.get(members.has(name) ? name : snakeName);
		if (member === null ? property["nullable"] : member !== undefined) value[name] = knownMembersInside(member, property);
		else if (property.default !== undefined) value[name] = property.default;
	}
	return value;
}

/** Applies `knownMembers` to a nested object, and to each object of a list. */
function knownMembersInside(value: unknown, schema: TSchema): unknown {
	if (KindGuard.IsObject(schema)) return isRecord(value) ? knownMembers(value, schema) : value;
	if (KindGuard.IsArray(schema) && Array.isArray(value)) return value.map((item: unknown) => knownMembersInside(item, schema.items));
	return value;
}

/** `containerTags` → `container_tags` */
export function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Deeper values are rejected by the schema, so they are not cleaned. */
const depthMax = 16;

/** Removes NUL characters and replaces lone surrogates in all strings, because no storage can store them. */
export function cleanTexts(value: unknown, depth = 0): unknown {
	if (typeof value === "string") return cleanText(value);
	if (typeof value !== "object" || value === null || depth >= depthMax) return value;
	if (Array.isArray(value)) return value.map((member) => cleanTexts(member, depth + 1));
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanTexts(member, depth + 1)]));
}

function cleanText(text: string): string {
	const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
	return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "") : wellFormed;
}

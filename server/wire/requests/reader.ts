/**
 * A TypeBox schema → a function from what came over the wire to a typed request. The same schema goes into the OpenAPI
 * description, so the two cannot drift. Unknown members are ignored, as the official clients send some; `null` counts as
 * absent unless the schema gives it a meaning; snake_case is accepted beside camelCase, which wins when both are sent.
 */

import { KindGuard, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { fail } from "../../../core/errors/fail.ts";
import { complaint } from "./complaint.ts";
import { isRecord } from "./is-record.ts";

export function reader<Schema extends TObject>(schema: Schema): (raw: unknown) => Static<Schema> {
	const compiled = TypeCompiler.Compile(schema);
	return (raw) => {
		if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw fail("INPUT_INVALID", "the request should be a JSON object");
		const value: unknown = cleanTexts(knownMembers(raw, schema));
		if (compiled.Check(value)) return value;
		throw fail("INPUT_INVALID", complaint(compiled.Errors(value), raw, schema));
	};
}

function knownMembers(raw: object, schema: TObject): Record<string, unknown> {
	const members = new Map(Object.entries(raw));
	const value: Record<string, unknown> = {};
	for (const [name, { default: fallback, nullable }] of Object.entries(schema.properties)) {
		const given = members.get(members.has(name) ? name : snakeCase(name));
		if (given === null ? nullable : given !== undefined) value[name] = within(given, schema.properties[name]);
		else if (fallback !== undefined) value[name] = fallback;
	}
	return value;
}

/** The same for objects inside, and for lists of them. */
function within(given: unknown, schema: TSchema | undefined): unknown {
	if (schema === undefined) return given;
	if (KindGuard.IsObject(schema)) return isRecord(given) ? knownMembers(given, schema) : given;
	if (KindGuard.IsArray(schema) && Array.isArray(given)) return given.map((item: unknown) => within(item, schema.items));
	return given;
}

/** `containerTags` → `container_tags` */
export function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Deeper values are refused when they are read, so they are not cleaned. */
const depthMax = 16;

/** Without what no storage can keep, NUL characters and halves of surrogate pairs. The same value when there was nothing to mend. */
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

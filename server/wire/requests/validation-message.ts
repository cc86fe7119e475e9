/** Converts schema errors to a message for the client that says what was expected and what was received. */

import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";

/** The most problems in one message; more do not help to correct a request. */
const problemsMax = 5;
const quotedCharactersMax = 60;

/** One message about all fields, with the first problem of each. */
export function validationMessage(errors: Iterable<ValueError>, raw: object, schema: TObject): string {
	const problemByField = new Map<string, string>();
	for (const error of errors) {
		const { field, problem } = problemOf(error);
		if (!problemByField.has(field)) problemByField.set(field, problem);
		if (problemByField.size >= problemsMax) break;
	}
	const isMissing = [...problemByField.values()].includes(missing);
	return [...problemByField].map(([field, problem]) => `${field} ${problem}`).join("; ") + (isMissing ? unknownFieldsHint(raw, schema) : "");
}

const missing = "is missing";

function problemOf(error: ValueError): { readonly field: string; readonly problem: string } {
	if (error.type === ValueErrorType.Union) {
		const choiceError = error.schema["expected"] === undefined ? errorOfMatchingChoice(error) : undefined;
		if (choiceError !== undefined) return problemOf(choiceError);
	}
	const field = fieldNameOf(error.path);
	if (error.type === ValueErrorType.ObjectRequiredProperty) return { field, problem: missing };
	if (error.type === ValueErrorType.ObjectAdditionalProperties) return { field, problem: "is not an allowed name" };
	if (error.type === ValueErrorType.ObjectMaxProperties) return { field, problem: `should have at most ${error.schema["maxProperties"]} members` };
	return { field, problem: `should be ${describeSchema(error.schema)}, not ${describeValue(error.value)}` };
}

/** The error inside the choice of a union that has the value's type: if a string or a list is allowed, the message names the wrong element of a list. */
function errorOfMatchingChoice({ schema, value, errors }: ValueError): ValueError | undefined {
	const choices: readonly TSchema[] = schema["anyOf"] ?? [];
	const matching = choices.findIndex((choice) => choice[Kind] !== "Literal" && choice["type"] === typeOf(value));
	return errors[matching]?.First();
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return "array";
	return value === null ? "null" : typeof value;
}

/** `/containerTags/0` → `containerTags[0]` */
function fieldNameOf(path: string): string {
	const steps = path.split("/").slice(1, 5);
	const names = steps.map((step) => cut(step.replaceAll("~1", "/").replaceAll("~0", "~"), quotedCharactersMax));
	const field = names.map((name, i) => (/^\d+$/.test(name) && i > 0 ? `[${name}]` : `${i > 0 ? "." : ""}${name}`)).join("");
	return field === "" ? "the request" : field;
}

/** Describes what the schema allows. A schema with a pattern has the description itself, as `expected`. */
function describeSchema(schema: TSchema): string {
	if (typeof schema["expected"] === "string") return schema["expected"];
	const { minimum, maximum, minLength, maxLength, maxItems, items } = schema as Readonly<Record<string, unknown>>;
	switch (schema[Kind]) {
		case "Literal":
			return JSON.stringify(schema["const"]);
		case "Union":
			return [...(schema["anyOf"] as readonly TSchema[])].map(describeSchema).join(" or ");
		case "Integer":
			return `a whole number${rangeText(minimum, maximum)}`;
		case "Number":
			return `a number${rangeText(minimum, maximum)}`;
		case "Boolean":
			return "true or false";
		case "String":
			return `a text${maxLength === undefined ? "" : ` of ${minLength ?? 0} to ${maxLength} characters`}`;
		case "Array":
			return `a list${maxItems === undefined ? "" : ` of at most ${maxItems}`}${items === undefined ? "" : `, each ${describeSchema(items as TSchema)}`}`;
		default:
			return "an object";
	}
}

function rangeText(min: unknown, max: unknown): string {
	return min === undefined || max === undefined ? "" : ` from ${min} to ${max}`;
}

/** The received value, shortened. */
export function describeValue(value: unknown): string {
	if (typeof value === "string") return value.length > quotedCharactersMax ? `a text of ${value.length} characters` : `the text ${JSON.stringify(value)}`;
	if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
	if (typeof value === "object" && value !== null) return "an object";
	return String(value);
}

/** Names the unknown fields of the request: one of them may be the missing field under a wrong name. */
function unknownFieldsHint(raw: object, schema: TObject): string {
	const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(schema.properties, name));
	const quoted = unknown.slice(0, problemsMax).map((name) => cut(name, quotedCharactersMax));
	return quoted.length === 0 ? "" : ` (the request has ${quoted.join(", ")}, which ${quoted.length === 1 ? "is not a field" : "are not fields"} of it)`;
}

function cut(text: string, charactersMax: number): string {
	return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

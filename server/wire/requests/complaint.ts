/** Turns schema errors into a sentence for the client: what was expected and what was received. */

import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";

/** More errors than this do not help to correct a request. */
const complaintsMax = 5;
const charactersShownMax = 60;

/** One sentence about everything that is wrong, each member named once. */
export function complaint(errors: Iterable<ValueError>, raw: object, schema: TObject): string {
	const byPlace = new Map<string, string>();
	for (const error of errors) {
		const { place, words } = complaintOf(error);
		if (!byPlace.has(place)) byPlace.set(place, words);
		if (byPlace.size >= complaintsMax) break;
	}
	const isMissing = [...byPlace.values()].includes(missing);
	return [...byPlace].map(([place, words]) => `${place} ${words}`).join("; ") + (isMissing ? strangers(raw, schema) : "");
}

const missing = "is missing";

function complaintOf(error: ValueError): { readonly place: string; readonly words: string } {
	if (error.type === ValueErrorType.Union) {
		const deeper = error.schema["expected"] === undefined ? fromMeantChoice(error) : undefined;
		if (deeper !== undefined) return complaintOf(deeper);
	}
	const place = placeOf(error.path);
	if (error.type === ValueErrorType.ObjectRequiredProperty) return { place, words: missing };
	if (error.type === ValueErrorType.ObjectAdditionalProperties) return { place, words: "is a name that cannot be used" };
	if (error.type === ValueErrorType.ObjectMaxProperties) return { place, words: `should have at most ${error.schema["maxProperties"]} members` };
	return { place, words: `should be ${expected(error.schema)}, not ${shown(error.value)}` };
}

/** Of a union of text and list, a list with a wrong element counts as the list: the error is about that element. */
function fromMeantChoice({ schema, value, errors }: ValueError): ValueError | undefined {
	const choices: readonly TSchema[] = schema["anyOf"] ?? [];
	const meant = choices.findIndex((choice) => choice[Kind] !== "Literal" && choice["type"] === typeOf(value));
	return errors[meant]?.First();
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return "array";
	return value === null ? "null" : typeof value;
}

/** `/containerTags/0` → `containerTags[0]` */
function placeOf(path: string): string {
	const steps = path.split("/").slice(1, 5);
	const names = steps.map((step) => cut(step.replaceAll("~1", "/").replaceAll("~0", "~"), charactersShownMax));
	const place = names.map((name, i) => (/^\d+$/.test(name) && i > 0 ? `[${name}]` : `${i > 0 ? "." : ""}${name}`)).join("");
	return place === "" ? "the request" : place;
}

/** A schema may state its own words as `expected`, since words cannot be derived from a pattern. */
function expected(schema: TSchema): string {
	if (typeof schema["expected"] === "string") return schema["expected"];
	const { minimum, maximum, minLength, maxLength, maxItems, items } = schema as Readonly<Record<string, unknown>>;
	switch (schema[Kind]) {
		case "Literal":
			return JSON.stringify(schema["const"]);
		case "Union":
			return [...(schema["anyOf"] as readonly TSchema[])].map(expected).join(" or ");
		case "Integer":
			return `a whole number${between(minimum, maximum)}`;
		case "Number":
			return `a number${between(minimum, maximum)}`;
		case "Boolean":
			return "true or false";
		case "String":
			return `a text${maxLength === undefined ? "" : ` of ${minLength ?? 0} to ${maxLength} characters`}`;
		case "Array":
			return `a list${maxItems === undefined ? "" : ` of at most ${maxItems}`}${items === undefined ? "" : `, each ${expected(items as TSchema)}`}`;
		default:
			return "an object";
	}
}

function between(least: unknown, most: unknown): string {
	return least === undefined || most === undefined ? "" : ` from ${least} to ${most}`;
}

/** The received value, shortened. */
export function shown(value: unknown): string {
	if (typeof value === "string") return value.length > charactersShownMax ? `a text of ${value.length} characters` : `the text ${JSON.stringify(value)}`;
	if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
	if (typeof value === "object" && value !== null) return "an object";
	return String(value);
}

/** An unknown property may be the missing one under another name. */
function strangers(raw: object, schema: TObject): string {
	const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(schema.properties, name));
	const named = unknown.slice(0, complaintsMax).map((name) => cut(name, charactersShownMax));
	return named.length === 0 ? "" : ` (what was sent has ${named.join(", ")}, which ${named.length === 1 ? "is no field" : "are no fields"} of this request)`;
}

function cut(text: string, charactersMax: number): string {
	return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

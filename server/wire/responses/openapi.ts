/**
 * Converts the output of the swagger plugin to valid OpenAPI 3.0.3. The server's schemas are TypeBox, that is, JSON Schema: `const` becomes
 * `enum`, `null` becomes `nullable`, examples become one example, and a property with a default is not required.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The JSON Schema keywords that OpenAPI 3.0 supports. */
const supportedKeywords = new Set(
	"$ref title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not items properties additionalProperties description format default nullable deprecated example".split(
		" ",
	),
);

/** Keywords whose value is data, not a schema. */
const dataKeywords = new Set(["default", "example", "enum", "required"]);

/** Converts every schema in an OpenAPI document. */
export function toOpenApi30(document: Json): Json {
	if (Array.isArray(document)) return document.map(toOpenApi30);
	if (!isObject(document)) return document;
	return Object.fromEntries(
		Object.entries(document).map(([key, value]) => [
			key,
			key === "schema" ? toSchema30(value) : key === "schemas" ? mapValues(value, toSchema30) : toOpenApi30(value),
		]),
	);
}

function toSchema30(schema: Json): Json {
	if (!isObject(schema)) return schema;
	const { const: constValue, examples, anyOf, patternProperties, $ref } = schema;
	if (typeof $ref === "string") return { $ref: $ref.includes("/") ? $ref : `#/components/schemas/${$ref}` };
	if (Array.isArray(anyOf)) return { ...annotations(schema), ...toUnion30(anyOf) };
	const converted: Record<string, Json> = {};
	for (const [key, value] of Object.entries(schema)) {
		if (!supportedKeywords.has(key)) continue;
		if (key === "properties") converted[key] = mapValues(value, toSchema30);
		else converted[key] = dataKeywords.has(key) || !(isObject(value) || Array.isArray(value)) ? value : toSchema30(value);
	}
	if (constValue !== undefined) converted["enum"] = [constValue];
	if (schema["type"] === "null") return { nullable: true, enum: [null] };
	if (isObject(patternProperties)) converted["additionalProperties"] = toSchema30(Object.values(patternProperties)[0] ?? {});
	if (Array.isArray(examples) && examples[0] !== undefined) converted["example"] = examples[0];
	const required = requiredOf(schema);
	if (required.length > 0) converted["required"] = required;
	else delete converted["required"];
	return converted;
}

/** String literals become one enum, and a null among the choices becomes `nullable`. */
function toUnion30(choices: readonly Json[]): JsonObject {
	const rest = choices.filter((choice) => !(isObject(choice) && choice["type"] === "null"));
	const nullable: JsonObject = rest.length < choices.length ? { nullable: true } : {};
	const literals = rest.flatMap((choice) => (isObject(choice) && choice["const"] !== undefined ? [choice["const"]] : []));
	if (literals.length === rest.length) return { ...nullable, type: "string", enum: literals };
	const converted = rest.map(toSchema30);
	const [single] = converted;
	return converted.length === 1 && isObject(single) ? { ...single, ...nullable } : { ...nullable, anyOf: converted };
}

function annotations({ description, default: fallback, examples }: JsonObject): JsonObject {
	return {
		...(description === undefined ? {} : { description }),
		...(fallback === undefined ? {} : { default: fallback }),
		...(Array.isArray(examples) && examples[0] !== undefined ? { example: examples[0] } : {}),
	};
}

/** Required properties without a default. */
function requiredOf({ required, properties }: JsonObject): readonly Json[] {
	if (!Array.isArray(required) || !isObject(properties)) return [];
	return required.filter((name) => {
		const member = properties[String(name)];
		return !(isObject(member) && member["default"] !== undefined);
	});
}

function mapValues(value: Json | undefined, convert: (member: Json) => Json): Json {
	return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convert(member)])) : (value ?? null);
}

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

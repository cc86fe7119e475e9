/**
 * What the swagger plugin gathers → valid OpenAPI 3.0.3. Our schemas are TypeBox, which speaks JSON Schema: `const` becomes
 * `enum`, `null` becomes `nullable`, examples become one example, and what has a default is not required.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The keywords that OpenAPI 3.0 keeps of JSON Schema. */
const kept = new Set(
	"$ref title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not items properties additionalProperties description format default nullable deprecated example".split(
		" ",
	),
);

/** Members whose value is data, not a schema. */
const verbatim = new Set(["default", "example", "enum", "required"]);

/** Converts every schema in a description. */
export function toOpenApi30(description: Json): Json {
	if (Array.isArray(description)) return description.map(toOpenApi30);
	if (!isObject(description)) return description;
	return Object.fromEntries(
		Object.entries(description).map(([key, value]) => [
			key,
			key === "schema" ? toSchema30(value) : key === "schemas" ? mapValues(value, toSchema30) : toOpenApi30(value),
		]),
	);
}

function toSchema30(schema: Json): Json {
	if (!isObject(schema)) return schema;
	const { const: only, examples, anyOf, patternProperties, $ref } = schema;
	if (typeof $ref === "string") return { $ref: $ref.includes("/") ? $ref : `#/components/schemas/${$ref}` };
	if (Array.isArray(anyOf)) return { ...annotations(schema), ...toUnion30(anyOf) };
	const turned: Record<string, Json> = {};
	for (const [key, value] of Object.entries(schema)) {
		if (!kept.has(key)) continue;
		if (key === "properties") turned[key] = mapValues(value, toSchema30);
		else turned[key] = verbatim.has(key) || !(isObject(value) || Array.isArray(value)) ? value : toSchema30(value);
	}
	if (only !== undefined) turned["enum"] = [only];
	if (schema["type"] === "null") return { nullable: true, enum: [null] };
	if (isObject(patternProperties)) turned["additionalProperties"] = toSchema30(Object.values(patternProperties)[0] ?? {});
	if (Array.isArray(examples) && examples[0] !== undefined) turned["example"] = examples[0];
	const required = requiredOf(schema);
	if (required.length > 0) turned["required"] = required;
	else delete turned["required"];
	return turned;
}

/** Literals of one type become one enum, a null among the choices becomes `nullable`. */
function toUnion30(choices: readonly Json[]): JsonObject {
	const rest = choices.filter((choice) => !(isObject(choice) && choice["type"] === "null"));
	const nullable: JsonObject = rest.length < choices.length ? { nullable: true } : {};
	const literals = rest.flatMap((choice) => (isObject(choice) && choice["const"] !== undefined ? [choice["const"]] : []));
	if (literals.length === rest.length) return { ...nullable, type: "string", enum: literals };
	const turned = rest.map(toSchema30);
	const [only] = turned;
	return turned.length === 1 && isObject(only) ? { ...only, ...nullable } : { ...nullable, anyOf: turned };
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

function mapValues(value: Json | undefined, turn: (member: Json) => Json): Json {
	return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, turn(member)])) : (value ?? null);
}

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

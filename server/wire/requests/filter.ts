/** Parses filters: objects with AND and OR, or the same as a JSON string. The grammar is in `docs/filters.md`. */

import { type TSchema, Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import { asNumber, type Condition, type Filter, type NumericOperator } from "../../../core/model/filter.ts";
import { limits } from "../../../core/model/limits.ts";
import { isRecord } from "./is-record.ts";
import { cleanTexts } from "./reader.ts";

const anyFilter = { anyOf: [{ $ref: "FilterCondition" }, { $ref: "FilterGroup" }] };
const group = (description: string) => ({ type: "array", items: anyFilter, description });
const flag = (description: string) => ({ type: "boolean", default: false, description });

/** What filters look like, for the description. */
export const filterSchemas: Readonly<Record<string, TSchema>> = {
	Filter: Type.Unsafe({
		anyOf: [
			{ $ref: "FilterGroup" },
			{
				type: "object",
				description: "Each member has to be equal.",
				additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
			},
			{ type: "string", description: "One of these as JSON." },
		],
	}),
	FilterGroup: Type.Unsafe({ type: "object", properties: { AND: group("All of them hold."), OR: group("One of them holds.") } }),
	FilterCondition: Type.Unsafe({
		type: "object",
		required: ["key", "value"],
		properties: {
			key: { type: "string", minLength: 1, maxLength: limits.filterKeyCharactersMax, description: "The name of a value in the metadata." },
			value: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }], description: "What it is compared with." },
			filterType: {
				type: "string",
				enum: ["metadata", "numeric", "array_contains", "string_contains"],
				default: "metadata",
				description: "How they are compared.",
			},
			numericOperator: { type: "string", enum: ["=", "!=", "<", "<=", ">", ">="], default: "=", description: "For `numeric`." },
			ignoreCase: flag("Whether case makes no difference."),
			negate: flag("Whether it holds where it would not."),
		},
	}),
};

const keyPattern = new RegExp(`^[A-Za-z0-9_.-]{1,${limits.filterKeyCharactersMax}}$`);
const numericOperators: readonly string[] = [">", "<", ">=", "<=", "="];

/** Null for no filter. @throws ServiceError `FILTER_MALFORMED`, `FILTER_TOO_COMPLEX` */
export function parseFilter(raw: unknown): Filter | null {
	if (raw === undefined || raw === null || raw === "") return null;
	const value = typeof raw === "string" ? parseJson(raw) : raw;
	const count = { conditions: 0 };
	if (!isRecord(value)) throw fail("FILTER_MALFORMED", "filters should be an object with AND or OR");
	if (has(value, "AND") || has(value, "OR")) return parseGroup(value, 1, count);
	if (has(value, "key") && has(value, "value")) throw fail("FILTER_MALFORMED", "a condition must be inside AND or OR");
	return parseEqualities(value, count);
}

type Count = { conditions: number };

function parseJson(text: string): unknown {
	try {
		return cleanTexts(JSON.parse(text));
	} catch {
		throw fail("FILTER_MALFORMED", "filters in a string should be JSON");
	}
}

function parseGroup(value: Record<string, unknown>, depth: number, count: Count): Filter {
	if (depth > limits.filterDepthMax) throw fail("FILTER_TOO_COMPLEX", `more than ${limits.filterDepthMax} levels`);
	const groups: Filter[] = [];
	for (const [keyword, kind] of [
		["AND", "and"],
		["OR", "or"],
	] as const) {
		if (!has(value, keyword)) continue;
		const parts = value[keyword];
		if (!Array.isArray(parts)) throw fail("FILTER_MALFORMED", `${keyword} should be a list`);
		groups.push({ kind, parts: parts.map((part: unknown) => parseExpression(part, depth, count)) });
	}
	return groups.length === 1 && groups[0] !== undefined ? groups[0] : { kind: "and", parts: groups };
}

function parseExpression(value: unknown, depth: number, count: Count): Filter {
	if (!isRecord(value)) throw fail("FILTER_MALFORMED", "every part should be a condition or a group");
	if (has(value, "AND") || has(value, "OR")) return parseGroup(value, depth + 1, count);
	return parseCondition(value, count);
}

function parseCondition(value: Record<string, unknown>, count: Count): Condition {
	countCondition(count);
	const key = checkKey(value["key"]);
	const operand = value["value"];
	if (typeof operand !== "string" && typeof operand !== "number" && typeof operand !== "boolean")
		throw fail("FILTER_MALFORMED", `the value for ${key} should be a text, a number, true or false`);
	const text = String(operand);
	const negate = parseFlag(value["negate"], "negate");
	const ignoreCase = parseFlag(value["ignoreCase"], "ignoreCase");
	switch (value["filterType"] ?? "metadata") {
		case "metadata":
			return { kind: "equals", key, value: text, negate, ignoreCase };
		case "array_contains":
			return { kind: "contains-element", key, value: text, negate, ignoreCase };
		case "string_contains":
			return { kind: "contains-text", key, value: text, negate, ignoreCase };
		case "numeric":
			return parseNumeric(key, text, value["numericOperator"] ?? "=", negate);
		default:
			throw fail("FILTER_MALFORMED", "filterType should be metadata, numeric, array_contains or string_contains");
	}
}

function parseNumeric(key: string, text: string, operator: unknown, negate: boolean): Condition {
	const value = asNumber(text);
	if (!Number.isFinite(value)) throw fail("FILTER_MALFORMED", `the value for ${key} should be a number`);
	if (operator === "!=") return { kind: "numeric", key, value, operator: "=", negate: !negate };
	if (!isNumericOperator(operator)) throw fail("FILTER_MALFORMED", `numericOperator should be one of ${numericOperators.join(" ")}`);
	return { kind: "numeric", key, value, operator, negate };
}

/** Parses the older form of a filter: an object whose members are conditions for equality. */
function parseEqualities(value: Record<string, unknown>, count: Count): Filter {
	return { kind: "and", parts: Object.entries(value).map(([key, wanted]) => parseCondition({ key, value: wanted }, count)) };
}

function checkKey(key: unknown): string {
	if (typeof key !== "string") throw fail("FILTER_MALFORMED", "every condition should have a key");
	if (!keyPattern.test(key)) throw fail("FILTER_KEY_UNSAFE");
	return key;
}

function countCondition(count: Count): void {
	count.conditions++;
	if (count.conditions > limits.filterConditionsMax) throw fail("FILTER_TOO_COMPLEX", `more than ${limits.filterConditionsMax} conditions`);
}

function parseFlag(value: unknown, name: string): boolean {
	if (value === undefined || value === null || value === false || value === "false") return false;
	if (value === true || value === "true") return true;
	throw fail("FILTER_MALFORMED", `${name} should be true or false`);
}

function isNumericOperator(value: unknown): value is NumericOperator {
	return typeof value === "string" && numericOperators.includes(value);
}

function has(value: Record<string, unknown>, name: string): boolean {
	return Object.hasOwn(value, name);
}

/** Metadata filters, and `matches`, which defines what they mean. Every storage must give the same results. */

import type { Metadata, MetadataValue } from "./metadata.ts";

export type NumericOperator = ">" | "<" | ">=" | "<=" | "=";

interface ConditionBase {
	readonly key: string;
	/** Negates the condition. A document without the key matches a negated condition. */
	readonly negate: boolean;
}

export type Condition =
	/** The value, or any element of a list, is equal to the string. Both are compared as text, see `asText`. */
	| (ConditionBase & { readonly kind: "equals"; readonly value: string; readonly ignoreCase: boolean })
	/** The value is compared as a number. A string with a number in it counts as a number; anything else does not match. */
	| (ConditionBase & { readonly kind: "numeric"; readonly value: number; readonly operator: NumericOperator })
	/** A list contains the string, or the value is equal to it. */
	| (ConditionBase & { readonly kind: "contains-element"; readonly value: string; readonly ignoreCase: boolean })
	/** The value, or any element of a list, contains the string. */
	| (ConditionBase & { readonly kind: "contains-text"; readonly value: string; readonly ignoreCase: boolean });

export type Filter = { readonly kind: "and"; readonly parts: readonly Filter[] } | { readonly kind: "or"; readonly parts: readonly Filter[] } | Condition;

/** An empty group matches everything, even an empty `or`, since it has no condition. */
export function matches(filter: Filter, metadata: Metadata): boolean {
	if (filter.kind === "and") return filter.parts.every((part) => matches(part, metadata));
	if (filter.kind === "or") return filter.parts.length === 0 || filter.parts.some((part) => matches(part, metadata));
	const value = Object.hasOwn(metadata, filter.key) ? metadata[filter.key] : undefined;
	const holds = value !== undefined && conditionHolds(filter, value);
	return holds !== filter.negate;
}

function conditionHolds(condition: Condition, value: MetadataValue): boolean {
	const elements: readonly (string | number | boolean)[] = typeof value === "object" ? value : [value];
	switch (condition.kind) {
		case "numeric":
			return typeof value !== "object" && compare(asNumber(value), condition.operator, condition.value);
		case "equals":
		case "contains-element":
			return elements.some((element) => fold(asText(element), condition.ignoreCase) === fold(condition.value, condition.ignoreCase));
		case "contains-text":
			return elements.some((element) => fold(asText(element), condition.ignoreCase).includes(fold(condition.value, condition.ignoreCase)));
	}
}

/** The string as which a metadata value is compared: `true`, `5`, `0.5`. */
export function asText(value: string | number | boolean): string {
	return String(value);
}

const numericText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The value as a number, if it is a number or a numeric string; NaN otherwise, also for booleans. */
export function asNumber(value: string | number | boolean): number {
	if (typeof value === "number") return value;
	return typeof value === "string" && numericText.test(value.trim()) ? Number(value) : Number.NaN;
}

/** Converts to lower case if case is ignored. The result does not depend on the language of the server, such as Turkish. */
export function fold(text: string, ignoreCase: boolean): string {
	return ignoreCase ? text.toLowerCase() : text;
}

function compare(left: number, operator: NumericOperator, right: number): boolean {
	switch (operator) {
		case ">":
			return left > right;
		case "<":
			return left < right;
		case ">=":
			return left >= right;
		case "<=":
			return left <= right;
		case "=":
			return left === right;
	}
}

/** Metadata filters, and `matches`: the meaning that every storage must reproduce. */

import type { Metadata, MetadataValue } from "./metadata.ts";

export type NumericOperator = ">" | "<" | ">=" | "<=" | "=";

interface ConditionBase {
	readonly key: string;
	/** Negates the condition. A document without the key then matches. */
	readonly negate: boolean;
}

export type Condition =
	/** The text form of the value, or of any element of a list, is the wanted text. */
	| (ConditionBase & { readonly kind: "equals"; readonly value: string; readonly ignoreCase: boolean })
	/** The value as a number, numeric text included, compared. What is not a number does not match. */
	| (ConditionBase & { readonly kind: "numeric"; readonly value: number; readonly operator: NumericOperator })
	/** A list holds the wanted text, or the value alone is it. */
	| (ConditionBase & { readonly kind: "contains-element"; readonly value: string; readonly ignoreCase: boolean })
	/** The text form of the value, or of any element of a list, contains the wanted text. */
	| (ConditionBase & { readonly kind: "contains-text"; readonly value: string; readonly ignoreCase: boolean });

export type Filter = { readonly kind: "and"; readonly parts: readonly Filter[] } | { readonly kind: "or"; readonly parts: readonly Filter[] } | Condition;

/** An empty group matches everything, `or` included: no condition was set. */
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

/** The text form by which metadata is compared: `true`, `5`, `0.5`. */
export function asText(value: string | number | boolean): string {
	return String(value);
}

const numericText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number, or text that is one and nothing else; NaN otherwise. Booleans are no numbers. */
export function asNumber(value: string | number | boolean): number {
	if (typeof value === "number") return value;
	return typeof value === "string" && numericText.test(value.trim()) ? Number(value) : Number.NaN;
}

/** Lower case by the rules of no particular language, so that Turkish and German servers agree. */
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

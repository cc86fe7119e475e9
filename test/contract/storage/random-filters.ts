/** Random metadata and random filters over it, full of values that a database is tempted to read its own way. */

import { asText, type Condition, type Filter, type Metadata, type MetadataValue } from "cairn-memory/stores";
import type { Samples } from "../samples.ts";

/** Few keys, so that filters hit; one with a dot, one that differs by case, two that every object inherits. */
export const filterKeys = ["colour", "Colour", "size", "a.b", "x-y", "constructor", "toString"] as const;

const values: readonly MetadataValue[] = [
	"red",
	"Red",
	"RED",
	"",
	"5",
	"5.0",
	" 5 ",
	"1e1",
	"0x10",
	"5 apples",
	"true",
	"null",
	"a%b",
	"a_b",
	"axb",
	"it's",
	'say "hi"',
	"back\\slash",
	"Straße",
	"STRASSE",
	"İstanbul",
	"istanbul",
	"ÄRGER",
	"ärger",
	"合同",
	5,
	0,
	-1,
	0.5,
	10,
	16,
	1e21,
	0.1 + 0.2,
	true,
	false,
	[],
	["red", "blue"],
	["Red"],
	["5"],
	["a%b", ""],
	["x", "合同"],
];

const numbers = [5, 0, -1, 0.5, 10, 16, 1e21, 4.9] as const;

/** Each key with a chance of its own. */
export function randomMetadata(samples: Samples, chance: number): Metadata {
	const present = filterKeys.filter(() => samples.random() < chance);
	return Object.fromEntries(present.map((key) => [key, samples.pick(values)]));
}

/** Conditions, and groups of them three deep; an empty group now and then. */
export function randomFilter(samples: Samples, depth = 0): Filter {
	const roll = samples.random();
	if (depth >= 3 || roll < 0.55) return randomCondition(samples);
	const parts = Array.from({ length: Math.floor(samples.random() * 4) }, () => randomFilter(samples, depth + 1));
	return { kind: roll < 0.78 ? "and" : "or", parts };
}

function randomCondition(samples: Samples): Condition {
	const key = samples.pick(filterKeys);
	const negate = samples.random() < 0.35;
	const kind = samples.pick(["equals", "numeric", "contains-element", "contains-text"] as const);
	if (kind === "numeric") return { kind, key, negate, value: samples.pick(numbers), operator: samples.pick([">", "<", ">=", "<=", "="] as const) };
	return { kind, key, negate, value: randomText(samples, kind === "contains-text"), ignoreCase: samples.random() < 0.5 };
}

/** Mostly a text that some value has, whole or in part, its case at times turned round. */
function randomText(samples: Samples, isPart: boolean): string {
	const value = samples.pick(values);
	const whole = typeof value === "object" ? (value[0] ?? "nowhere") : asText(value);
	const text = isPart ? whole.slice(Math.floor(samples.random() * whole.length)) : whole;
	const roll = samples.random();
	if (roll < 0.2) return text.toUpperCase();
	return roll < 0.4 ? text.toLowerCase() : text;
}

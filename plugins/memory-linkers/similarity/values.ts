/** Finds amounts, times and days in a clause, by their unit: a value can only replace one with the same unit. */

import { createGuard } from "./guards.ts";

const smallNumbers = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const amounts = new Map<string, string>([
	...smallNumbers.map((word, i): [string, string] => [word, `${i + 1}`]),
	...tens.flatMap((word, i): [string, string][] => [
		[word, `${20 + 10 * i}`],
		...smallNumbers.slice(0, 9).map((one, k): [string, string] => [`${word}-${one}`, `${21 + 10 * i + k}`]),
	]),
	["once", "1"],
	["twice", "2"],
	["noon", "12"],
	["midnight", "0"],
]);
/** Such as `twenty-one`. */
const compound = new RegExp(`\\b(?:${tens.join("|")})-(?:${smallNumbers.slice(0, 9).join("|")})\\b`, "g");
const number = `\\d+(?:[.,:]\\d+)*|${tens.join("|")}|${smallNumbers.join("|")}|hundred|once|twice`;
const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const money = "[€£$]|euros?|eur|dollars?|usd|pounds?|quid|francs?|chf|bucks|kr(?:oner|onor)?|zloty|pesos|rupees|rand|naira|k";
/**
 * Patterns in the order in which they are tried; what one has matched, the next does not see. Group 1 is the amount, group 2, if present,
 * the unit.
 */
const kinds: readonly (readonly [unit: string | null, pattern: RegExp])[] = [
	["day", new RegExp(`\\b((?:mid-|end of |early |late )?(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?)?(?:${months})(?: \\d{1,2}(?:st|nd|rd|th)?\\b)?)`, "g")],
	["day", /\b(\d{1,2}(?:st|nd|rd|th))\b/g],
	["weekday", /\b((?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)\b/g],
	[
		"time",
		new RegExp(
			`\\b(\\d{1,2}[:.]\\d\\d(?!\\d)|\\d{1,2} ?(?:am|pm)\\b|(?:half|quarter) (?:past|to) (?:${number})|(?<=\\b(?:at|from|till|until|by|to|before|after|around) )(?:${number})(?= ?(?:o'clock|sharp|[,.;]|$|on|in|instead|now|to|till|until|every|at|-))|noon|midnight)`,
			"g",
		),
	],
	["money", /([€£$] ?\d[\d.,]*)/g],
	["money", new RegExp(`\\b(${number}) ?(?:${money})(?![\\p{L}])`, "gu")],
	[null, new RegExp(`(?<![\\p{L}])(${number})[ -]?(\\p{L}{2,})`, "gu")],
	["number", new RegExp(`(?<![\\p{L}\\d])(${number})(?![\\p{L}\\d])`, "gu")],
];
/** Words that may follow a number and are not its unit. */
const noUnit = new Set(
	"in on at of to from for and or is are was were now then with by per an the more until till since as but because again each every old o'clock sharp who that which time times they we you i he she it not if when at so too what euro euros".split(
		" ",
	),
);
/** Numbers that only say which one it is: `step 3`, `day two`. */
const ordinal =
	/\b(?:step|day|night|phase|part|week|chapter|page|section|item|level|round|option|milepost|mp|episode|season|grade|unit|lesson|task) ?(?:\d+(?:\.\d+)*|one|two|three|four|five|six|seven|eight|nine|ten)\b/g;

/** A cheap test before the patterns: each needs one of these. */
const anyValue = new RegExp(
	`\\d|${tens.join("|")}|${smallNumbers.join("|")}|hundred|once|twice|${months}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|noon|midnight`,
);
const mayHaveValue = createGuard((word) => anyValue.test(word));
const noValues: Values = new Map();

/** Units that a number without a unit cannot have. */
const timeUnits = new Set(["day", "weekday", "time"]);

/** Values by unit. */
export type Values = ReadonlyMap<string, ReadonlySet<string>>;

export function valuesByKind(text: string): Values {
	if (!mayHaveValue(text)) return noValues;
	let rest = text
		.replace(ordinal, " ")
		.replace(compound, (words) => amounts.get(words) ?? words)
		.replace(/\b(?:(?:the|this|that|no|any|every|each|some|which|another) one|one of|one day)\b/g, " ");
	const found = new Map<string, Set<string>>();
	for (const [kind, pattern] of kinds) {
		rest = rest.replace(pattern, (match, amount: string, unit: unknown) => {
			const foundUnit = kind ?? (typeof unit === "string" && !noUnit.has(unit) ? unit.replace(/s$/, "") : "number");
			const values = found.get(foundUnit) ?? new Set<string>();
			found.set(foundUnit, values.add(canonical(amount)));
			return kind === null && foundUnit === "number" ? match.slice(match.search(/[ -]?\p{L}+$/u)) : " ";
		});
	}
	return found;
}

/** The same amount always in the same form: `1,000` → `1000`, `two` → `2`. */
function canonical(value: string): string {
	const text = value
		.replace(/\bof /, "")
		.replace(/(?<=\d)(?:st|nd|rd|th)\b/, "")
		.replace(/^[€£$] ?/, "")
		.replace(/(?<=\d),(?=\d{3})/g, "")
		.replace(/s$/, "");
	return amounts.get(text) ?? text;
}

/**
 * Whether both have values of the same unit, and each has one that the other lacks.
 * @param isLoose whether a number without a unit in `fresh` may have any unit but a time.
 */
export function differ(fresh: Values, old: Values, isLoose = false): boolean {
	return [...fresh].some(([kind, values]) =>
		[...old].some(
			([other, before]) =>
				(kind === other || (isLoose && kind === "number" && !timeUnits.has(other))) && values.difference(before).size > 0 && before.difference(values).size > 0,
		),
	);
}

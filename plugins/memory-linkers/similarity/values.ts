/** Amounts, times and days in a clause, by their unit: only values of one unit can take each other's place. */

const small = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const amounts = new Map<string, string>([
	...small.map((word, i): [string, string] => [word, `${i + 1}`]),
	...tens.flatMap((word, i): [string, string][] => [
		[word, `${20 + 10 * i}`],
		...small.slice(0, 9).map((one, k): [string, string] => [`${word}-${one}`, `${21 + 10 * i + k}`]),
	]),
	["once", "1"],
	["twice", "2"],
	["noon", "12"],
	["midnight", "0"],
]);
const compound = new RegExp(`\\b(?:${tens.join("|")})-(?:${small.slice(0, 9).join("|")})\\b`, "g");
const number = `\\d+(?:[.,:]\\d+)*|${tens.join("|")}|${small.join("|")}|hundred|once|twice`;
const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const money = "[€£$]|euros?|eur|dollars?|usd|pounds?|quid|francs?|chf|bucks|kr(?:oner|onor)?|zloty|pesos|rupees|rand|naira|k";
/** In this order; what one has taken the next does not see. The first group is the amount, the second, where there is one, the unit. */
const kinds: readonly (readonly [unit: string | null, words: RegExp])[] = [
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
/** They stand behind a number and are no unit of it. */
const noUnit = new Set(
	"in on at of to from for and or is are was were now then with by per an the more until till since as but because again each every old o'clock sharp who that which time times they we you i he she it not if when at so too what euro euros".split(
		" ",
	),
);
/** `step 3`, `day two`: which one it is, and no value of it. */
const ordinal =
	/\b(?:step|day|night|phase|part|week|chapter|page|section|item|level|round|option|milepost|mp|episode|season|grade|unit|lesson|task) ?(?:\d+(?:\.\d+)*|one|two|three|four|five|six|seven|eight|nine|ten)\b/g;

/** A bare number is none of them. */
const clock = new Set(["day", "weekday", "time"]);

export type Values = ReadonlyMap<string, ReadonlySet<string>>;

export function valuesByKind(says: string): Values {
	let rest = says
		.replace(ordinal, " ")
		.replace(compound, (words) => amounts.get(words) ?? words)
		.replace(/\b(?:(?:the|this|that|no|any|every|each|some|which|another) one|one of|one day)\b/g, " ");
	const found = new Map<string, Set<string>>();
	for (const [kind, words] of kinds) {
		rest = rest.replace(words, (whole, amount: string, unit: unknown) => {
			const own = kind ?? (typeof unit === "string" && !noUnit.has(unit) ? unit.replace(/s$/, "") : "number");
			const values = found.get(own) ?? new Set<string>();
			found.set(own, values.add(plain(amount)));
			return kind === null && own === "number" ? whole.slice(whole.search(/[ -]?\p{L}+$/u)) : " ";
		});
	}
	return found;
}

function plain(value: string): string {
	const bare = value
		.replace(/\bof /, "")
		.replace(/(?<=\d)(?:st|nd|rd|th)\b/, "")
		.replace(/^[€£$] ?/, "")
		.replace(/(?<=\d),(?=\d{3})/g, "")
		.replace(/s$/, "");
	return amounts.get(bare) ?? bare;
}

/** Both name values of one unit, and each one that the other does not. @param isLoose whether a bare number of the fresh one may be of any unit but a time */
export function differ(fresh: Values, old: Values, isLoose = false): boolean {
	return [...fresh].some(([kind, values]) =>
		[...old].some(
			([other, before]) =>
				(kind === other || (isLoose && kind === "number" && !clock.has(other))) && values.difference(before).size > 0 && before.difference(values).size > 0,
		),
	);
}

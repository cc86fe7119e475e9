/** Numbers, times and days in a statement, by kind: only values of one kind can take each other's place. */

const numbers = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|once|twice";
const digits: Readonly<Record<string, string>> = Object.fromEntries(
	"one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, i) => [word, `${i + 1}`]),
);
const months = "january|february|march|april|may|june|july|august|september|october|november|december";
const kinds: readonly (readonly [kind: "time" | "weekday" | "day" | "number", words: RegExp])[] = [
	[
		"time",
		new RegExp(
			`\\b\\d{1,2}[:.]\\d\\d\\b|\\b\\d{1,2} ?(?:am|pm)\\b|(?<=\\b(?:at|from|till|until|by|to|opens|half past|quarter past) )(?:\\d{1,2}|${numbers})(?= ?(?:o'clock|sharp|[,.]|$|on|in|instead|now|to|till|until|every))|\\bnoon\\b|\\bmidnight\\b`,
			"g",
		),
	],
	["weekday", /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweekends?\b/g],
	["day", new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)\\b|\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${months})\\b|\\b(?:${months})(?: \\d{1,2})?\\b`, "g")],
	["number", new RegExp(`\\b\\d+(?:[.,:]\\d+)*\\b|\\b(?:${numbers})\\b`, "g")],
];

/** `step 3`, `day two`: which one it is, and no value of it. */
const ordinal =
	/\b(?:step|day|night|phase|part|week|chapter|page|section|item|level|round|option|milepost|mp|episode|season|grade|unit|lesson|task) ?(?:\d+(?:\.\d+)*|one|two|three|four|five|six|seven|eight|nine|ten)\b/g;

export type Values = ReadonlyMap<string, ReadonlySet<string>>;

export function valuesByKind(says: string): Values {
	let rest = says.replace(ordinal, " ");
	const found = new Map<string, ReadonlySet<string>>();
	for (const [kind, words] of kinds) {
		const values = rest.match(words);
		if (values !== null) found.set(kind, new Set(values.map(plain)));
		rest = rest.replace(words, " ");
	}
	return found;
}

function plain(value: string): string {
	const bare = value
		.replace(/\bof /, "")
		.replace(/(?<=\d)(?:st|nd|rd|th)\b/, "")
		.replace(/s$/, "");
	return digits[bare] ?? bare;
}

/** Both name values of one kind, and each one that the other does not. */
export function differ(fresh: Values, old: Values): boolean {
	return [...fresh].some(([kind, values]) => {
		const before = old.get(kind);
		return before !== undefined && values.difference(before).size > 0 && before.difference(values).size > 0;
	});
}

/** A value that both name. */
export function meet(fresh: Values, old: Values): boolean {
	return [...fresh].some(([kind, values]) => [...values].some((one) => old.get(kind)?.has(one) === true));
}

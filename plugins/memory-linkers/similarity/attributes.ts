/** What a statement says of its subject, by the words it says it with: one value at a time, so that a new one replaces the old. */

const attributes: readonly (readonly [name: string, words: RegExp])[] = [
	[
		"home",
		/\b(?:lives?|lived|living|moved|moving|relocated|relocating|resides?|based|stays?) (?:(?:with|away|back) .{0,40}?)?(?:\w+ )?(?:in|to|at|near)\b|\baddress is\b/,
	],
	[
		"home",
		/(?<!\p{L})(?:wohne[nt]?|(?:lebe|leben) (?:\S+ ){0,2}in|habit(?:e|ons)|vi[sv](?:ons)? (?:\S+ )?(?:à|a|en)|viv(?:o|imos|iamo) (?:\S+ )?(?:en|a|em|in)|abit(?:o|iamo)|mor(?:o|amos)|woon|wonen)(?!\p{L})|住在|住んで/u,
	],
	["employer", /\b(?:works?|worked|working|employed) (?:\w+ )?(?:at|for)\b|\b(?:joined|joins)\b|\bjob at\b/],
	["occupation", /\b(?:works?|worked|working) as\b|\b(?:job|occupation|profession|title|role) is\b|\bbecame (?:an?|the)\b/],
	[
		"age",
		/\bturn(?:ed|s) \d{1,3}(?= (?:in|on|last|this|yesterday|today|years)\b)|\b(?:is|turned|turns) (?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: years old)?(?:\W*$| years| now\b| and\b)|\bage is\b/,
	],
	["phone", /\b(?:phone|mobile|telephone)(?: number)? (?:is|changed)\b/],
	["email", /\be-?mail(?: address)? (?:is|changed)\b/],
	["name", /\bname is\b|\b(?:is|are) (?:called|named)\b/],
	["marriage", /\b(?:is|got|are|was) (?:\w+ )?(?:married|engaged|divorced|single|widowed|separated)\b|\b(?:separated|divorced|in a relationship)\b/],
	["status", /\b(?:status|state|phase|stage)\b.* (?:is|was|changed|moved)\b/],
	["birthday", /\bbirthday is\b|\bwas born (?:on|in)\b/],
	["weight", /\bweighs?\b/],
	["company", /\blives? (?:\w+ )?with\b/],
	["school", /\b(?:goes to|attends) (?:the |an? )?(?:\w+ )?(?:school|kindergarten|college|university|nursery|daycare|preschool)\b/],
	["preference", /\bprefers?\b/],
	["diet", /\b(?:is|became) (?:\w+ )?(?:vegetarian|vegan|pescetarian)\b|\beats (?:meat|fish)\b/],
	[
		"schedule",
		/\b(?:is|are|will be) (?:now |again )?(?:on|at|in|from) (?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)|\b(?:takes? place|starts?|begins?|ends?|(?:is|was|been|are) (?:planned|scheduled|due|moved|postponed|extended|rescheduled|cancelled|canceled|called off|set|brought forward))\b/,
	],
];
/** Of these there may be several at a time: only a word of change makes a new one replace the old. */
export const shareable: ReadonlySet<string> = new Set(["company"]);
const favourite = /\bfavou?rite ([a-z]+(?: [a-z]+)?) (?:is|are|was)\b/;
/** Where a thing is: `the office is on the fourth floor`, and then it moved. */
const location =
	/^(?:the .+|.+'s? .+) (?:is|are|stands|sits|lies) (?:now )?(?:in|on|at|near) (?:the )?(?!\w+day\b|\d|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)/;
const copula =
	/^(.{3,60}?) (?:is|are|was|were|will be|costs?|starts?|begins?|ends?|takes place|changed to|has been (?:moved|changed|set|extended|postponed|cancelled|canceled)|(?:is|was) (?:moved|changed|set|due) (?:to|on|in)) /;

/** The names of the attributes in a statement; none when no rule knows it. */
export function attributesOf(plain: string): ReadonlySet<string> {
	const kind = favourite.exec(plain)?.[1];
	if (kind !== undefined) return new Set([`favourite ${kind}`]);
	const found = new Set(attributes.filter(([, words]) => words.test(plain)).map(([name]) => name));
	if (location.test(plain)) found.add("home");
	const [whole = "", subject] = copula.exec(`${plain} `) ?? [];
	// What was done to a thing, and by whom, is a value for each thing that can be done.
	const done = /^(\w+(?:ed|en|built|led|made|held|run|sold|won|bought|set)) (?:by|in|on|for|from|of|with|at)\b/.exec(plain.slice(whole.length))?.[1] ?? "";
	if (found.size === 0 && subject !== undefined && /^(?:the |project |\p{L}+'s? )/u.test(subject))
		found.add(
			`is: ${subject
				.replace(/^the /, "")
				.replace(/ (?:new|current|now|there) ?/g, " ")
				.trim()}${done === "" ? "" : ` ${done}`}`,
		);
	return found;
}

/** What one has one of at a time: a new value replaces the old one. A closed list; each with the words that show it. */

export interface Slot {
	readonly name: string;
	/** In a clause that states it. */
	readonly states: RegExp;
	/** In a clause that says it is over, besides naming the thing. */
	readonly ends?: RegExp;
	/** Several at a time are usual: only a word of change makes a new one replace the old. */
	readonly isShared?: true;
	/** Its value has a name as a rule: where one is named and another is not, they are no two values of one kind. */
	readonly hasName?: true;
}

const boss = "boss|manager|supervisor|team ?lead(?:er)?|line manager";

/** Work and the post one had there end together. */
const jobEnds =
	/\b(?:quit|resigned|retired|laid off|got fired|was fired|let me go|made redundant|handed in my notice|left (?:my|the) job|lost (?:my|the) job|last day at)\b/;

export const slots: readonly Slot[] = [
	{
		name: "home",
		hasName: true,
		states:
			/\b(?:liv(?:e|es|ing)|resides?|based|stay(?:s|ing)?|crash(?:es|ing)?|settled) (?:(?:with|away|back) .{0,40}?)?(?:\w+ ){0,2}?(?:in|at|near|on|above)\b|\b(?:moved|moving|moves|relocat(?:ed|ing)|move) (?:(?:with .{0,30}?|back|over|away|out|house|home|\w+ly) )?(?:in|into|to)\b(?! \d| (?:mon|tues|wednes|thurs|fri|satur|sun)day)|\b(?:am|are|is) (?:still |now |back )?(?:in|at) (?:.{1,30}? )?(?:flat|apartment|house|dorm|studio)\b|\b(?:am|are|is) at .{1,40}?\bnow$|\b(?:new|our|my) (?:flat|apartment|house|home|place) (?:is |here )?(?:in|on|at)\b|\bhome address is\b|\bmy address is\b/,
		ends: /\b(?:moved out|moved away|gave up (?:the|my|our) (?:flat|apartment|house|room|place)|sold (?:the|my|our) (?:flat|apartment|house))\b/,
	},
	{
		name: "home",
		hasName: true,
		states:
			/(?<!\p{L})(?:wohne[nt]?|(?:lebe|leben) (?:\S+ ){0,2}in|habit(?:e|ons)|vi[sv](?:ons)? (?:\S+ )?(?:à|a|en)|viv(?:o|imos|iamo) (?:\S+ )?(?:en|a|em|in)|abit(?:o|iamo)|mor(?:o|amos)|woon|wonen)(?!\p{L})|住在|住んで/u,
	},
	{
		name: "work",
		hasName: true,
		states:
			/(?<!\b(?:my|to|his|her|our|their|the|of|hard) )\b(?:works?|working|employed) (?:as .{1,25}? )?(?:\w+ )?(?:at|for|in the)\b|\b(?:joined|joins)\b|\b(?:job|position) (?:is )?(?:at|with)\b|\bfirst (?:day|week|month|shift) (?:at|in|with) (?!the (?:flat|house)|school|kindergarten|university|college)|\bstarted (?:working )?(?:at|with|as)\b|\bhired me\b/,
		ends: jobEnds,
	},
	{
		name: "role",
		ends: jobEnds,
		states: /\b(?:works?|working|started) as\b|\b(?:job|occupation|profession|title|role) is (?:an?|as|the)\b|\bbecame (?:an?|the)\b|\bpromoted to\b/,
	},
	{
		name: "age",
		states:
			/\bturn(?:ed|s) \d{1,3}(?= (?:in|on|last|this|yesterday|today|years)\b|$)|\b(?:is|am|turned|turns) (?:now )?(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: years old)?(?:\W*$| years| now\b| and\b)|\bage is\b/,
	},
	{ name: "phone", states: /\b(?:phone|mobile|telephone|cell|new|my)(?: phone)? number\b|\breach me (?:at|on) \+?\d/ },
	{ name: "e-mail", states: /\be-?mail(?: address)? (?:is|changed|has)\b|\bnew e-?mail\b/ },
	{ name: "name", states: /\bname is\b|\b(?:is|are) (?:called|named)\b/ },
	{
		name: "relationship",
		states:
			/\b(?:is|am|got|are) (?:now |still |\w+ly )?(?:married|engaged|divorced|single|widowed|separated|dating|seeing|together)\b|\b(?:separated|divorced|in a relationship)\b|^engaged\b|\b(?:my|a) (?:new )?(?:girlfriend|boyfriend)\b|\b\w+ and \w+ are .*\btogether\b|\b(?:and i|with my (?:girlfriend|boyfriend|partner|husband|wife)) are\b/,
		ends: /\b(?:moved out|broke up|broken up|breaking up|split up|parted ways|dumped me|left me|it is over|called off the (?:wedding|engagement)|getting divorced|separated|divorced)\b/,
	},
	{ name: "boss", hasName: true, isShared: true, states: new RegExp(`\\b(?:${boss})\\b`) },
	{ name: "weight", states: /\bweighs?\b/ },
	{ name: "company", states: /\blives? (?:\w+ )?with\b/, isShared: true },
	{
		name: "school",
		states:
			/\b(?:goes to|attends|started|first (?:day|week|month) (?:of|at|in)) (?:the |an? )?(?:\w+ )?(?:school|kindergarten|college|university|nursery|daycare|preschool)\b/,
	},
	{
		name: "diet",
		states:
			/\b(?:is|am|are|became|went|going|turned) (?:\w+ )?(?:vegetarian|vegan|pescetarian|gluten-free|keto)\b|\beats? (?:meat|fish|gluten|everything)\b|\b(?:gluten-free|vegan|vegetarian|keto|low-carb) diet\b/,
	},
	{ name: "transport", states: /\b(?:drives?|driving|commut(?:e|es|ing) (?:by|on|with)) /, isShared: true },
	{ name: "debt", states: /\bowes? \w+/, ends: /\bpaid (?:\w+ ){0,2}(?:back|off|at|the)\b|\b(?:got|has) (?:\w+ ){0,3}back\b|\bsettled\b/ },
	{
		name: "schedule",
		states:
			/\b(?:is|are|will be|starts?|begins?|leaves?|goes|opens?|meets?|ends?|takes place|planned|scheduled|due|moved|postponed|extended|rescheduled|set|brought forward|pushed) (?:back |now |again |out )?(?:on|at|in|from|to|for|till|until|by) (?:the )?(?:\d|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|\b(?:is|are) (?:now )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/,
		ends: /\b(?:cancelled|canceled|called off|(?:is|are) off(?= for\b| this\b| now\b|$)|not happening|scrapped|fell through)\b/,
	},
];

const favourite = /\b(?:favou?rite|go-to) ([a-z]+(?: [a-z]+)?) (?:is|are|was|has been)\b/;

/** What is said beside the point: `the company I work at`, `friends who live in Ghent`, `after I retired`. */
const aside =
	/(?:\b(?:who|which|when|after|before|because|while|as|since|that|where|how|what) | (?:the|a|an|some|this|my) \p{L}+ (?=(?:i|we|he|she|they) ))(?:(?:i|we|he|she|they|it|my|our|the|you|live|work|are|have|move|stay)\b).*$/u;

/** What is stated begins so early in a clause; what comes later is said of something beside it. */
const startMax = 40;

export function slotsOf(says: string): ReadonlySet<string> {
	const kind = favourite.exec(says)?.[1];
	if (kind !== undefined) return new Set([`favourite ${kind}`]);
	const main = says.replace(aside, "");
	return new Set(slots.filter(({ states }) => (states.exec(main)?.index ?? startMax) < startMax).map(({ name }) => name));
}

/** Slots that the clause says are empty now. */
export function emptiedBy(says: string): ReadonlySet<string> {
	const main = says.replace(aside, "");
	return new Set(slots.filter(({ ends }) => ends?.test(main) === true).map(({ name }) => name));
}

export const namedSlots: ReadonlySet<string> = new Set(slots.filter(({ hasName }) => hasName).map(({ name }) => name));
export const sharedSlots: ReadonlySet<string> = new Set(slots.filter(({ isShared }) => isShared).map(({ name }) => name));

/** Things of which there is one for an owner, whatever is said of them is their value: `the status is red`. */
const valued = /\b(?:password|passcode|code|pin|status|colou?r|size|version|e-?mail|address|phone|motto|title|deadline|price|rent|fee|budget|salary|number)$/;
/** The same, but other things are said of them too: `my boss is called Petra`, `my boss is strict`. */
const named =
	/\b(?:boss|manager|supervisor|team ?lead(?:er)?|landlord|landlady|doctor|dentist|teacher|tutor|coach|trainer|bank|insurer|provider|car|laptop|author|maintainer|owner|captain|host|port|database|server|office|room|desk|venue|capital|place|location|shift|schedule|school)$/;
const copula =
	/^(?:so |and )?(?:the |my |our |an? |new |current |[\p{L} ]+'s )*([\p{L}' -]{2,50}?)(?: (?:at|of|for|in|to|on|with) [\p{L}' -]{2,40}?)? (?:is|are|will be|has changed|changed|moved|runs?|(?:is|was|has been) (?:moved|changed|set|upgraded|cut|raised)|costs?|stays?) /u;

/** Of a clause such as `the password is …`: the thing, and whether all that can be said of it takes the place of what was. */
export function singleOf(says: string): "valued" | "named" | null {
	const thing = copula.exec(says)?.[1]?.trim() ?? "";
	if (valued.test(thing)) return "valued";
	return named.test(thing) ? "named" : null;
}

/** Attributes of which a person or thing has one at a time (slots), so that a new value replaces the old one. The list is closed. */

import { createGuard, needsWord } from "./guards.ts";

export interface Slot {
	readonly name: string;
	/** Matches a clause that states the attribute. */
	readonly states: RegExp;
	/** Whether it has a word that `states` needs. */
	readonly mayState: (text: string) => boolean;
	/** Whether several at a time are usual, so that a new value replaces the old one only with a word of change. */
	readonly isShared?: true;
	/** Whether its value usually has a name. A value with a name and one without are then not of the same kind. */
	readonly hasName?: true;
}

export const slots: readonly Slot[] = [
	{
		name: "home",
		hasName: true,
		mayState: needsWord(
			"liv(?:e|es|ing)|resides?|based|stay(?:s|ing)?|crash(?:es|ing)?|settled|mov(?:e|es|ed|ing)|relocat(?:ed|ing)|flat|apartment|house|home|dorm|studio|place|now|address",
		),
		states:
			/\b(?:liv(?:e|es|ing)|resides?|based|stay(?:s|ing)?|crash(?:es|ing)?|settled) (?:(?:with|away|back) .{0,40}?)?(?:\w+ ){0,2}?(?:in|at|near|on|above)\b|\b(?:moved|moving|moves|relocat(?:ed|ing)|move) (?:(?:with .{0,30}?|back|over|away|out|house|home|\w+ly) )?(?:in|into|to)\b(?! \d| (?:mon|tues|wednes|thurs|fri|satur|sun)day)|\b(?:am|are|is) (?:still |now |back )?(?:in|at) (?:.{1,30}? )?(?:flat|apartment|house|dorm|studio)\b|\b(?:am|are|is) at .{1,40}?\bnow$|\b(?:new|our|my) (?:flat|apartment|house|home|place) (?:is |here )?(?:in|on|at)\b|\bhome address is\b|\bmy address is\b/,
	},
	{
		name: "home",
		hasName: true,
		mayState: createGuard((word) => /wohne|lebe|habit|vi[sv]|abit|mor[ao]|woon/.test(word), true),
		states:
			/(?<!\p{L})(?:wohne[nt]?|(?:lebe|leben) (?:\S+ ){0,2}in|habit(?:e|ons)|vi[sv](?:ons)? (?:\S+ )?(?:à|a|en)|viv(?:o|imos|iamo) (?:\S+ )?(?:en|a|em|in)|abit(?:o|iamo)|mor(?:o|amos)|woon|wonen)(?!\p{L})|住在|住んで/u,
	},
	{
		name: "work",
		hasName: true,
		mayState: needsWord("works?|working|employed|joined|joins|job|position|first|started|hired"),
		states:
			/(?<!\b(?:my|to|his|her|our|their|the|of|hard) )\b(?:works?|working|employed) (?:as .{1,25}? )?(?:\w+ )?(?:at|for|in the)\b|\b(?:joined|joins)\b|\b(?:job|position) (?:is )?(?:at|with)\b|\bfirst (?:day|week|month|shift) (?:at|in|with) (?!the (?:flat|house)|school|kindergarten|university|college)|\bstarted (?:working )?(?:at|with|as)\b|\bhired me\b/,
	},
	{
		name: "role",
		mayState: needsWord("works?|working|started|job|occupation|profession|title|role|became|promoted"),
		states: /\b(?:works?|working|started) as\b|\b(?:job|occupation|profession|title|role) is (?:an?|as|the)\b|\bbecame (?:an?|the)\b|\bpromoted to\b/,
	},
	{
		name: "age",
		mayState: needsWord("turn(?:ed|s)|\\d\\w*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|age"),
		states:
			/\bturn(?:ed|s) \d{1,3}(?= (?:in|on|last|this|yesterday|today|years)\b|$)|\b(?:is|am|turned|turns) (?:now )?(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: years old)?(?:\W*$| years| now\b| and\b)|\bage is\b/,
	},
	{ name: "name", mayState: needsWord("name|called|named"), states: /\bname is\b|\b(?:is|are) (?:called|named)\b/ },
	{
		name: "relationship",
		mayState: needsWord("married|engaged|divorced|single|widowed|separated|dating|seeing|together|relationship|girlfriend|boyfriend|are"),
		states:
			/\b(?:is|am|got|are) (?:now |still |\w+ly )?(?:married|engaged|divorced|single|widowed|separated|dating|seeing|together)\b|\b(?:separated|divorced|in a relationship)\b|^engaged\b|\b(?:my|a) (?:new )?(?:girlfriend|boyfriend)\b|\b\w+ and \w+ are .*\btogether\b|\b(?:and i|with my (?:girlfriend|boyfriend|partner|husband|wife)) are\b/,
	},
	{
		name: "boss",
		hasName: true,
		isShared: true,
		mayState: needsWord("boss|manager|supervisor|team|team ?lead(?:er)?"),
		states: /\b(?:boss|manager|supervisor|team ?lead(?:er)?)\b/,
	},
];

const favourite = /\b(?:favou?rite|go-to) ([a-z]+(?: [a-z]+)?) (?:is|are|was|has been)\b/;

/** A subordinate clause, which states nothing by itself: `the company I work at`, `friends who live in Ghent`, `after I retired`. */
const subordinate =
	/(?:\b(?:who|which|when|after|before|because|while|as|since|that|where|how|what) | (?:the|a|an|some|this|my) \p{L}+ (?=(?:i|we|he|she|they) ))(?:(?:i|we|he|she|they|it|my|our|the|you|live|work|are|have|move|stay)\b).*$/u;

/** An attribute is stated within the first characters of a clause; later matches are about something else. */
const startMax = 40;

const mayBeFavourite = needsWord("favou?rite|go");
const noSlots: ReadonlySet<string> = new Set();

export function slotsOf(text: string): ReadonlySet<string> {
	const kind = mayBeFavourite(text) ? favourite.exec(text)?.[1] : undefined;
	if (kind !== undefined) return new Set([`favourite ${kind}`]);
	const possible = slots.filter(({ mayState }) => mayState(text));
	if (possible.length === 0) return noSlots;
	// `Living on a farm, I often …` does not state where somebody lives.
	if (/^(?:even |just |after |before )?(?!moving)\w+ing\b/.test(text)) return noSlots;
	const main = text.replace(subordinate, "");
	const stated = possible.filter(({ states }) => (states.exec(main)?.index ?? startMax) < startMax);
	return stated.length === 0 ? noSlots : new Set(stated.map(({ name }) => name));
}

export const namedSlots: ReadonlySet<string> = new Set(slots.filter(({ hasName }) => hasName).map(({ name }) => name));
export const sharedSlots: ReadonlySet<string> = new Set(slots.filter(({ isShared }) => isShared).map(({ name }) => name));

/** Things of which an owner has one, and of which only the value is ever said: `the status is red`. */
const valued = /\b(?:password|passcode|code|pin|status|colou?r|size|version|e-?mail|address|phone|motto|title|deadline|price|rent|fee|budget|salary|number)$/;
/** Things of which an owner has one, but of which other things are said too: `my boss is called Petra`, `my boss is strict`. */
const named =
	/\b(?:boss|manager|supervisor|team ?lead(?:er)?|landlord|landlady|doctor|dentist|teacher|tutor|coach|trainer|bank|insurer|provider|car|laptop|author|maintainer|owner|captain|host|port|database|server|office|room|desk|venue|capital|place|location|shift|schedule|school)$/;
const copula =
	/^(?:so |and )?(?:the |my |our |an? |new |current |[\p{L} ]+'s )*([\p{L}' -]{2,50}?)(?: (?:at|of|for|in|to|on|with) [\p{L}' -]{2,40}?)? (?:is|are|will be|has changed|changed|moved|runs?|(?:is|was|has been) (?:moved|changed|set|upgraded|cut|raised)|costs?|stays?) /u;

const mayBeSingle = needsWord(
	"password|passcode|code|pin|status|colou?r|size|version|e?mail|address|phone|motto|title|deadline|price|rent|fee|budget|salary|number|" +
		"boss|manager|supervisor|team|(?:team)?lead(?:er)?|landlord|landlady|doctor|dentist|teacher|tutor|coach|trainer|bank|insurer|provider|car|laptop|author|maintainer|owner|captain|host|port|database|server|office|room|desk|venue|capital|place|location|shift|schedule|school",
);

/** Whether a clause such as `the password is …` is about a thing of which an owner has one, and of which kind. */
export function singleOf(text: string): "valued" | "named" | null {
	if (!mayBeSingle(text)) return null;
	const thing = copula.exec(text)?.[1]?.trim() ?? "";
	if (valued.test(thing)) return "valued";
	return named.test(thing) ? "named" : null;
}

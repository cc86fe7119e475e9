/** Splits a statement into clauses, and finds the owner of each (whom it is about) and the thing that it is about. */

import { normalize } from "cairn-memory/words";
import { type Cues, cuesOf } from "./cues.ts";
import { distinctiveWords, significantWords, withoutValues } from "./significant-words.ts";

export interface Clause extends Cues {
	/** The clause in lower case, with contractions written out. */
	readonly text: string;
	readonly owner: Owner;
	/** The significant words of what the clause is about, or of what something is done to: `kickoff, danes`; `canoe`. */
	readonly thing: readonly string[];
	/** The word of `thing` that the others describe: `kickoff`. */
	readonly head: string | null;
	/** What comes before its verb; null if no verb is found. */
	readonly beforeVerb: string | null;
}

/**
 * Whom a clause is about. `person`: a name (`ana`) or a relation (`ana's sister`). `thing`: a thing of the speaker, if `name` is set,
 * or of nobody in particular. `open`: nobody is named, as in `sold the canoe`. `pronoun`: somebody who was named elsewhere.
 */
export interface Owner {
	readonly kind: "person" | "thing" | "open" | "pronoun";
	readonly name: string | null;
}

const sentenceEnd = /(?<=[.!?;])\s+|\s+[–—-]\s+|\n+/;
const subjectWord = "(?:i|we|he|she|they|it|my|our|his|their)";
const clauseEnd = new RegExp(`,? but |, (?:and |so )?(?=${subjectWord}\\b)|(?<=\\S+ \\S+ \\S+) (?:and|so|because) (?=${subjectWord}\\b)`);
const contractions: readonly (readonly [RegExp, string])[] = [
	[/\bwon't\b/g, "will not"],
	[/\bcan't\b/g, "cannot"],
	[/n't\b/g, " not"],
	[/\b(i)'m\b/g, "$1 am"],
	[/\b(we|you|they)'re\b/g, "$1 are"],
	[/'ve\b/g, " have"],
	[/'ll\b/g, " will"],
	[/'d\b/g, " would"],
	[/\b(he|she|it|that|there|here)'s (got|been|gone|taken|left|moved|started|become)\b/g, "$1 has $2"],
	[/\b(he|she|it|that|there|here|what|who)'s\b/g, "$1 is"],
	[/'s (?=(?:got|been|gone|taken|left|moved|doing|now|on|at|off|in|not|going|the|an?|\d)\b)/g, " is "],
];
/** Relatives and other people whom one has. */
const relations =
	"mother|father|mum|mom|mam|dad|papa|mama|parents|sister|brother|son|daughter|kid|child|baby|husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?|cousin|aunt|uncle|nephew|niece|grandma|grandpa|grandmother|grandfather|gran|nan|friend|flatmate|roommate|housemate|neighbou?r|colleague|in-laws?|twins?|ex|mate";
/** A relation with its owner and perhaps a name: `my sister ana`. */
const relationPhrase = new RegExp(
	`^(?:(?:and|so|well|oh) )?(?:(my|our|his|her|their|the|\\p{L}+'s?) )(?:\\w+ ){0,1}?(${relations})\\b('s?\\b)?(?: (?!and\\b|is\\b|has\\b|was\\b)(\\p{L}+))?`,
	"u",
);
const bareRelation = /^(mum|mom|mam|dad|papa|mama|grandma|grandpa|gran|nan)\b('s?)?/;
/** Filler words at the beginning of a clause. */
const opener =
	/^(?:(?:and|so|well|oh|ok(?:ay)?|yes|yeah|no(?=,)|hey|hi|btw|also|then|but|plus|anyway|honestly|apparently|finally|update|news|fyi|psst|haha|ugh)\b[,:!.]* )+/;
const auxiliary =
	"is|are|was|were|am|be|been|has|have|had|will|would|can|cannot|could|does|do|did|lives?|works?|likes?|loves?|prefers?|moved?|moves|owns?|wants?|hates?|enjoys?|goes|costs?|starts?|begins?|ends?|takes?|took|runs?|leads?|left|bought|sold|went|got|gets|keeps?|closed?|opens?|drives?|plays?|studies|sings?|teaches|eats?|needs?|says?|said|stays?|became|becomes|joined|quit|handles|looks|owes?|uses?|switched|changed|no longer|now|now has|died|turned|gave|put|made|came|comes|gave|cannot|\\p{L}{3,}ed|rang|found|weighs?|broke|fell|drinks?|cuts?|went|bought|listens?|trains?";
/** Captures what comes before the first verb. */
const beforeVerbPattern = new RegExp(
	`^(.{1,70}?) (?:(?:still|usually|always|never|just|only|now|currently|also|really|finally|then) )*(?:(?:${auxiliary})(?=[ ,]|$)|(?<!\\b(?:the|my|our|a|an|his|her|their) )\\p{L}{3,}s (?=(?:at|on|in|to|from|until|till) ))`,
	"u",
);
/** Captures the thing that somebody has changed: such a clause is about the thing, whoever changed it. */
const changeMade =
	/\b(?:upgraded|changed|switched|moved|cut|raised|reduced|extended|postponed|pushed|renamed|updated|put) the ([a-z][a-z -]{1,40}?) (?:back |up |down )?(?:to|from|by)\b/;
/** Auxiliaries and adverbs before the main verb. */
const auxiliaries =
	/^ ?(?:(?:is|are|am|was|has|have|had|will|not|been|still|usually|always|never|just|only|now|really|finally|planning|plans?|going|wants?|would|like|intends?|about|to) )+/;
const phraseEnd =
	/[,:;()]|\b(?:for|with|in|on|at|to|from|of|by|that|which|who|because|when|where|before|after|and|or|since|until|till|near|above|below|behind|under|about|called|named|as|off|up|down|out|away|over|back|now|today|yesterday|last|this|next|every|again|too|than|instead|or)\b/;

/** @param subject of the memory. @param isThing whether the subject is a thing, not a person. */
export function clausesOf(words: string, speaker: string | null, subject: string | null, isThing: boolean): readonly Clause[] {
	return words.split(sentenceEnd).flatMap((sentence) => {
		const isAsked = /\?["')\s]*$/.test(sentence);
		return plainOf(sentence)
			.split(clauseEnd)
			.map((text) => text.replace(opener, "").trim())
			.filter((text) => text !== "")
			.map((text) => clauseOf(text, isAsked, { speaker, subject, isThing }));
	});
}

/** White space that is not a single space. */
const otherThanOneSpace = /[^\S ]\s*| \s+/g;

/** Makes a text comparable: lower case, without accents and bracketed dates, with contractions written out. */
export function plainOf(text: string): string {
	let plain = normalize(text).replaceAll("’", "'");
	if (plain.includes("(")) plain = plain.replace(/\((?:week of )?(?:\d{1,2} )?(?:\p{L}+ )?\d{4}[^)]*\)/gu, " ");
	plain = plain.replace(otherThanOneSpace, " ").replace(/[.!?\s]+$/, "");
	if (plain.includes("'")) for (const [short, long] of contractions) plain = plain.replace(short, long);
	return plain.trim();
}

interface StatementContext {
	readonly speaker: string | null;
	readonly subject: string | null;
	readonly isThing: boolean;
}

function clauseOf(text: string, isAsked: boolean, context: StatementContext): Clause {
	const changed = changeMade.exec(text)?.[1];
	if (changed !== undefined)
		return {
			text,
			owner: { kind: "thing", name: null },
			thing: wordsOf(changed),
			head: wordsOf(changed).at(-1) ?? null,
			beforeVerb: changed,
			...cuesOf(text, isAsked),
		};
	const beforeVerb = beforeVerbPattern.exec(text)?.[1] ?? null;
	const owner = ownerOf(text, beforeVerb, context);
	const { thing, head } = thingOf(text, beforeVerb, owner, context);
	return { text, owner, thing, head, beforeVerb, ...cuesOf(text, isAsked) };
}

function ownerOf(text: string, beforeVerb: string | null, { speaker, subject, isThing }: StatementContext): Owner {
	const self: Owner = { kind: "person", name: speaker ?? subject };
	if (/^(?:i|we|me|us|my (?:self|own)|\p{L}+ and (?:i|me))\b/u.test(text)) return self;
	// A sentence in the third person is about its subject. In somebody's own words the subject only says who speaks.
	if (speaker === null && subject !== null) return ownerFromSubject(text, subject, isThing);
	const [, , relation, possessive, name] = relationPhrase.exec(text) ?? [];
	const isNamed = name !== undefined && speaker !== null && !new RegExp(`^(?:${auxiliary})$`).test(name);
	if (relation !== undefined && possessive === undefined) return { kind: "person", name: isNamed ? name : `${speaker ?? subject ?? ""}'s ${relation}` };
	if (relation !== undefined && possessive !== undefined) return { kind: "person", name: `${speaker ?? subject ?? ""}'s ${relation}` };
	const bare = bareRelation.exec(text);
	if (bare !== null) return { kind: "person", name: `${speaker ?? subject ?? ""}'s ${bare[1]}` };
	if (/^(?:my|our)\b/.test(text)) return { kind: "thing", name: speaker };
	if (/^(?:he|she|it|his|her|their|its|this|that|there|here|these|those|you|one|nobody|everybody)\b/.test(text)) return { kind: "pronoun", name: null };
	return { kind: beforeVerb !== null && !text.startsWith("they ") ? "thing" : "open", name: null };
}

function ownerFromSubject(text: string, subject: string, isThing: boolean): Owner {
	if (/^(?:he|she|they|it)\b/.test(text)) return { kind: "person", name: subject };
	if (relationPhrase.test(subject)) return { kind: "person", name: subject };
	const holder = /^(.+?)'s? \S/.exec(subject)?.[1];
	return isThing || /^(?:the|an?|this|these) /.test(text) || holder !== undefined ? { kind: "thing", name: holder ?? null } : { kind: "person", name: subject };
}

/** The words before the verb if the clause is about a thing, otherwise the words of the verb's object. */
function thingOf(text: string, beforeVerb: string | null, { kind }: Owner, { subject }: StatementContext): Pick<Clause, "thing" | "head"> {
	const subjectAt = subject === null ? -1 : text.indexOf(subject);
	const before = subjectAt === 0 || subjectAt === 4 ? text.slice(0, subjectAt + (subject?.length ?? 0)) : (beforeVerb ?? undefined);
	if (kind === "thing" && before !== undefined) {
		const thing = wordsOf(before);
		return { thing, head: wordsOf(before.split(phraseEnd)[0] ?? "").at(-1) ?? thing.at(-1) ?? null };
	}
	const action = before === undefined ? text : text.slice(before.length);
	const lead = auxiliaries.exec(action)?.[0] ?? "";
	const rest = action.slice(lead.length).trim();
	const isState = /\b(?:is|are|am|not|been|now) $/.test(lead) && !/^\w+ing\b/.test(rest);
	const thing = objectOf(isState ? `is ${rest}` : rest);
	return { thing, head: thing.at(-1) ?? null };
}

/** The words of the object of an action: `drive a red twingo to work` → red, twingo. */
function objectOf(action: string): readonly string[] {
	const [first = ""] = action.trim().split(" ");
	for (const phrase of action.trim().slice(first.length).split(phraseEnd)) {
		const words = wordsOf(phrase);
		if (words.length > 0) return words;
	}
	return [];
}

function wordsOf(phrase: string): readonly string[] {
	return distinctiveWords(significantWords(withoutValues(phrase)));
}

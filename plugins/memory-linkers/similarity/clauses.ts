/** A statement cut into clauses, each with whom it is about and the thing it speaks of. */

import { normalize } from "cairn-memory/words";
import { type Cues, cuesOf } from "./cues.ts";
import { pointedWords, tellingWords, withoutValues } from "./telling-words.ts";

export interface Clause extends Cues {
	/** In lower case, contractions written out. */
	readonly says: string;
	readonly owner: Owner;
	/** The telling words of what the clause is about or what is done with: `kickoff, danes`, `canoe`. */
	readonly thing: readonly string[];
	/** The one of them that the others say more about: `kickoff`. */
	readonly head: string | null;
	/** What stands before its verb; null where no verb is known. */
	readonly before: string | null;
}

/**
 * `person`: a name, `ana`, or a tie, `ana's sister`. `thing`: what the clause is about belongs to who speaks, or to all.
 * `open`: nobody is named, as in `sold the canoe`, `they want 60 for it`. `pronoun`: somebody who was named elsewhere.
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
const ties =
	"mother|father|mum|mom|mam|dad|papa|mama|parents|sister|brother|son|daughter|kid|child|baby|husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?|cousin|aunt|uncle|nephew|niece|grandma|grandpa|grandmother|grandfather|gran|nan|friend|flatmate|roommate|housemate|neighbou?r|colleague|in-laws?|twins?|ex|mate";
const tied = new RegExp(
	`^(?:(?:and|so|well|oh) )?(?:(my|our|his|her|their|the|\\p{L}+'s?) )(?:\\w+ ){0,1}?(${ties})\\b('s?\\b)?(?: (?!and\\b|is\\b|has\\b|was\\b)(\\p{L}+))?`,
	"u",
);
const bareTie = /^(mum|mom|mam|dad|papa|mama|grandma|grandpa|gran|nan)\b('s?)?/;
const opener =
	/^(?:(?:and|so|well|oh|ok(?:ay)?|yes|yeah|no(?=,)|hey|hi|btw|also|then|but|plus|anyway|honestly|apparently|finally|update|news|fyi|psst|haha|ugh)\b[,:!.]* )+/;
const auxiliary =
	"is|are|was|were|am|be|been|has|have|had|will|would|can|cannot|could|does|do|did|lives?|works?|likes?|loves?|prefers?|moved?|moves|owns?|wants?|hates?|enjoys?|goes|costs?|starts?|begins?|ends?|takes?|took|runs?|leads?|left|bought|sold|went|got|gets|keeps?|closed?|opens?|drives?|plays?|studies|sings?|teaches|eats?|needs?|says?|said|stays?|became|becomes|joined|quit|handles|looks|owes?|uses?|switched|changed|no longer|now|now has|died|turned|gave|put|made|came|comes|gave|cannot|\\p{L}{3,}ed|rang|found|weighs?|broke|fell|drinks?|cuts?|went|bought|listens?|trains?";
const beforeVerb = new RegExp(
	`^(.{1,70}?) (?:(?:still|usually|always|never|just|only|now|currently|also|really|finally|then) )*(?:(?:${auxiliary})(?=[ ,]|$)|(?<!\\b(?:the|my|our|a|an|his|her|their) )\\p{L}{3,}s (?=(?:at|on|in|to|from|until|till) ))`,
	"u",
);
/** A change made to something is about that thing, whoever made it. */
const changeMade =
	/\b(?:upgraded|changed|switched|moved|cut|raised|reduced|extended|postponed|pushed|renamed|updated|put) the ([a-z][a-z -]{1,40}?) (?:back |up |down )?(?:to|from|by)\b/;
/** What stands before the verb that tells what is done. */
const leadIn =
	/^ ?(?:(?:is|are|am|was|has|have|had|will|not|been|still|usually|always|never|just|only|now|really|finally|planning|plans?|going|wants?|would|like|intends?|about|to) )+/;
const phraseEnd =
	/[,:;()]|\b(?:for|with|in|on|at|to|from|of|by|that|which|who|because|when|where|before|after|and|or|since|until|till|near|above|below|behind|under|about|called|named|as|off|up|down|out|away|over|back|now|today|yesterday|last|this|next|every|again|too|than|instead|or)\b/;

/** @param isThing whether the subject is no person */
export function clausesOf(words: string, speaker: string | null, subject: string | null, isThing: boolean): readonly Clause[] {
	return words.split(sentenceEnd).flatMap((sentence) => {
		const isAsked = /\?["')\s]*$/.test(sentence);
		return plainOf(sentence)
			.split(clauseEnd)
			.map((says) => says.replace(opener, "").trim())
			.filter((says) => says !== "")
			.map((says) => clauseOf(says, isAsked, { speaker, subject, isThing }));
	});
}

/** Lower case, without accents, days in brackets and contractions. */
export function plainOf(text: string): string {
	let plain = normalize(text)
		.replaceAll("’", "'")
		.replace(/\((?:week of )?(?:\d{1,2} )?(?:\p{L}+ )?\d{4}[^)]*\)/gu, " ")
		.replace(/\s+/g, " ")
		.replace(/[.!?\s]+$/, "");
	if (plain.includes("'")) for (const [found, long] of contractions) plain = plain.replace(found, long);
	return plain.trim();
}

interface About {
	readonly speaker: string | null;
	readonly subject: string | null;
	readonly isThing: boolean;
}

function clauseOf(says: string, isAsked: boolean, about: About): Clause {
	const made = changeMade.exec(says)?.[1];
	if (made !== undefined)
		return { says, owner: { kind: "thing", name: null }, thing: wordsOf(made), head: wordsOf(made).at(-1) ?? null, before: made, ...cuesOf(says, isAsked) };
	const owner = ownerOf(says, about);
	return { says, owner, ...thingOf(says, owner, about), before: beforeVerb.exec(says)?.[1] ?? null, ...cuesOf(says, isAsked) };
}

function ownerOf(says: string, { speaker, subject, isThing }: About): Owner {
	const self: Owner = { kind: "person", name: speaker ?? subject };
	if (/^(?:i|we|me|us|my (?:self|own)|\p{L}+ and (?:i|me))\b/u.test(says)) return self;
	// A rewritten sentence is about its subject; in somebody's own words the subject field only says who speaks.
	if (speaker === null && subject !== null) return ownerNamed(says, subject, isThing);
	const [, , tie, belongs, given] = tied.exec(says) ?? [];
	const isKnownName = given !== undefined && speaker !== null && !new RegExp(`^(?:${auxiliary})$`).test(given);
	if (tie !== undefined && belongs === undefined) return { kind: "person", name: isKnownName ? given : `${speaker ?? subject ?? ""}'s ${tie}` };
	if (tie !== undefined && belongs !== undefined) return { kind: "person", name: `${speaker ?? subject ?? ""}'s ${tie}` };
	const bare = bareTie.exec(says);
	if (bare !== null) return { kind: "person", name: `${speaker ?? subject ?? ""}'s ${bare[1]}` };
	if (/^(?:my|our)\b/.test(says)) return { kind: "thing", name: speaker };
	if (/^(?:he|she|it|his|her|their|its|this|that|there|here|these|those|you|one|nobody|everybody)\b/.test(says)) return { kind: "pronoun", name: null };
	return { kind: beforeVerb.test(says) && !says.startsWith("they ") ? "thing" : "open", name: null };
}

function ownerNamed(says: string, subject: string, isThing: boolean): Owner {
	if (/^(?:he|she|they|it)\b/.test(says)) return { kind: "person", name: subject };
	if (tied.test(subject)) return { kind: "person", name: subject };
	const holder = /^(.+?)'s? \S/.exec(subject)?.[1];
	return isThing || /^(?:the|an?|this|these) /.test(says) || holder !== undefined ? { kind: "thing", name: holder ?? null } : { kind: "person", name: subject };
}

/** The words before the verb where the clause is about a thing, else those of what the verb is done to. */
function thingOf(says: string, { kind }: Owner, { subject }: About): Pick<Clause, "thing" | "head"> {
	const named = subject === null ? -1 : says.indexOf(subject);
	const before = named === 0 || named === 4 ? says.slice(0, named + (subject?.length ?? 0)) : beforeVerb.exec(says)?.[1];
	if (kind === "thing" && before !== undefined) {
		const thing = wordsOf(before);
		return { thing, head: wordsOf(before.split(phraseEnd)[0] ?? "").at(-1) ?? thing.at(-1) ?? null };
	}
	const action = before === undefined ? says : says.slice(before.length);
	const lead = leadIn.exec(action)?.[0] ?? "";
	const rest = action.slice(lead.length).trim();
	const isState = /\b(?:is|are|am|not|been|now) $/.test(lead) && !/^\w+ing\b/.test(rest);
	const thing = objectOf(isState ? `is ${rest}` : rest);
	return { thing, head: thing.at(-1) ?? null };
}

/** `drive a red twingo to work` → red, twingo. */
function objectOf(action: string): readonly string[] {
	const [first = ""] = action.trim().split(" ");
	const phrases = action.trim().slice(first.length).split(phraseEnd).map(wordsOf);
	return phrases.find((words) => words.length > 0) ?? [];
}

function wordsOf(phrase: string): readonly string[] {
	return pointedWords(tellingWords(withoutValues(phrase)));
}

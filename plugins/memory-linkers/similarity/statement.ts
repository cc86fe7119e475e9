/** A memory's sentence taken apart for comparing: of whom, which attribute, what is said, what has ended, plan or fact. */

import { type MemoryDraft, normalize } from "cairn-memory";
import { attributesOf } from "./attributes.ts";
import { type Holding, holdingOf } from "./holders.ts";
import { tellingWords, valuesOf, withoutValues } from "./telling-words.ts";

export interface Statement {
	readonly subject: string | null;
	/** Whose thing the subject is, and what a change was made to: `raised the rent` speaks of the rent. */
	readonly alsoAbout: ReadonlySet<string>;
	readonly attributes: ReadonlySet<string>;
	readonly holding: Holding | null;
	/** All telling words, negation left aside. */
	readonly content: ReadonlySet<string>;
	/** The telling words without those of the subject and without values: what is said, not of whom nor how much. */
	readonly claim: ReadonlySet<string>;
	/** All telling words without values. */
	readonly words: ReadonlySet<string>;
	readonly values: string;
	/** The words of each clause that says something has ended or is not so. */
	readonly ended: readonly ReadonlySet<string>[];
	readonly isNegated: boolean;
	readonly tellsChange: boolean;
	readonly isPlan: boolean;
	/** What is put before something else. */
	readonly preferred: string | null;
	/** The text is about the past; only then does its date say how old the statement is. */
	readonly isPastTold: boolean;
	readonly eventTime: Date | null;
}

const negation = /\b(?:not|no longer|never|stopped|quit|doesn't|don't|isn't|aren't|wasn't|won't|can't|hasn't|haven't|dislikes?|hates?|gave up|anymore)\b/;
const ending =
	/\b(?:not|no longer|stopped|quit|doesn't|don't|isn't|aren't|gave up|anymore|any more|sold|lost|left|resigned|retired|cancelled|canceled|called off|closed|died|broke up|moved away|moved out|returned|finished|dropped|got rid of|gave away|threw (?:away|out)|shaved off|shut down|ran away|split up|traded in|swapped|switched from|ended|expired|recovered|deleted|moved on from)\b/;
/** What did not happen, or will not, has not ended: there was nothing of it. */
const undone = /\b(?:did not|didn't|has not|hasn't|have not|haven't|will not|won't|was not|wasn't|can not|cannot|can't|couldn't)\b/;
/** `chemistry instead of botany` ends botany. */
const insteadOf = /\b(?:instead of|rather than) (.+?)(?= (?:now|these days|since|from)\b|[,;]|$)/g;
const again = /\b(?:anymore|any more|no longer|any longer)\b/;
const change =
	/\b(?:now|no longer|changed|switched|instead|moved|became|anymore|new|updated|upgraded|postponed|rescheduled|extended|cut|raised|reduced|again|back)\b/;
const plan = /\b(?:will|going to|plans? to|planning|wants? to|hopes? to|thinking (?:of|about)|intends?|would like|considering|about to|supposed to)\b/;
const past = /\b(?:was|were|had|did|\w{2,}ed|sold|bought|left|got|went|began|quit|won|lost|became)\b/;
/** `650 euros, not 600` says what it is; what it is not was known. */
const correction = /,? (?:and )?not (?:on |in |at )?[\w ]{1,20}$/;
/** A change made to something is about that thing. */
const changed = /\b(?:upgraded|changed|switched|moved|cut|raised|reduced|extended|postponed|renamed|updated) the ([a-z][a-z -]{1,40}?) (?:to|from|by)\b/;

export function statementOf({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	const plain = plainOf(text);
	const about = subjectName((subject ?? subjectFrom(plain))?.toLowerCase() ?? null);
	const named = new Set(tellingWords(about ?? ""));
	const says = plain.replace(correction, (found) => (valuesOf(found).length > 0 ? "" : found));
	const owner = /^(.+?)'s? /.exec(about ?? "")?.[1];
	const object = changed.exec(says)?.[1];
	const values = valuesOf(says);
	const words = tellingWords(withoutValues(says));
	return {
		subject: about,
		alsoAbout: new Set([owner, object].filter((one) => one !== undefined)),
		attributes: attributesOf(says),
		holding: holdingOf(says),
		content: new Set([...tellingWords(says), ...values]),
		claim: new Set(words.filter((word) => !named.has(word))),
		words: new Set(words),
		values: values.join(" "),
		ended: endedClauses(says, about),
		isNegated: negation.test(says),
		tellsChange: change.test(says),
		isPlan: plan.test(says),
		preferred: /\bprefers? (?:to )?(\w+)/.exec(says)?.[1] ?? null,
		isPastTold: past.test(says) && !plan.test(says),
		eventTime,
	};
}

function plainOf(text: string): string {
	return normalize(text)
		.replaceAll("’", "'")
		.replace(/\((?:week of )?\d{4}[^)]*\)/g, " ")
		.replace(/\s+/g, " ")
		.replace(/[.!\s]+$/, "");
}

/** `no longer works for the railway` → railway; with `cancelled` the thing itself is over, so its subject counts. */
function endedClauses(says: string, about: string | null): readonly ReadonlySet<string>[] {
	const owner = new Set(tellingWords(/^(.+?)'s? /.exec(about ?? "")?.[1] ?? about ?? ""));
	const replaced = [...says.matchAll(insteadOf)].map(([, what = ""]) => what);
	return says
		.split(/[,;]| and | but | so /)
		.filter((clause) => ending.test(clause) && (!undone.test(clause) || again.test(clause)))
		.concat(replaced)
		.map(
			(clause) =>
				new Set(tellingWords(withoutValues(clause.replace(ending, " "))).filter((word) => !owner.has(word) && !/^(?:job|last|month|week|year)$/.test(word))),
		);
}

/** `ben and others` is Ben here; `the new number` and `the number` are one. */
function subjectName(subject: string | null): string | null {
	return subject?.replace(/ (?:new|current|old) /g, " ").replace(/^(?:the|an?) | and others$/g, "") ?? null;
}

/** The words before the first plain verb, for memories that clients wrote without a subject. */
function subjectFrom(plain: string): string | null {
	return (
		/^(?:the |an? )?([\p{L}\p{N}' -]{2,40}?) (?:is|are|was|were|has|have|had|will|lives?|works?|likes?|loves?|prefers?|moved|owns?|wants?|hates?|enjoys?|does|doesn't|no longer|now)\b/u.exec(
			plain,
		)?.[1] ?? null
	);
}

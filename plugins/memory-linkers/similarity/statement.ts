/** A memory taken apart for comparing: who says it, its clauses, its words and values. */

import { type MemoryDraft, normalize } from "cairn-memory";
import { type Clause, clausesOf, plainOf } from "./clauses.ts";
import { type Ending, endingOf } from "./endings.ts";
import { type Holding, holdingOf, takenOverIn } from "./holders.ts";
import { saidBy } from "./said-by.ts";
import { emptiedBy, singleOf, slotsOf } from "./slots.ts";
import { pointedWords, tellingWords, valuesOf, withoutValues } from "./telling-words.ts";
import { type Values, valuesByKind } from "./values.ts";

export interface Statement {
	readonly subject: string | null;
	readonly speaker: string | null;
	readonly topic: string | null;
	readonly parts: readonly Part[];
	/** All telling words, those of the context aside, and values. */
	readonly content: ReadonlySet<string>;
	readonly isNegated: boolean;
	readonly isPlan: boolean;
	readonly isPastTold: boolean;
	readonly eventTime: Date | null;
}

/** A clause with what is compared of it. */
export interface Part extends Clause {
	readonly slots: ReadonlySet<string>;
	readonly single: ReturnType<typeof singleOf>;
	readonly emptied: ReadonlySet<string>;
	readonly ending: Ending | null;
	readonly holding: Holding | null;
	readonly takenOver: ReadonlySet<string>;
	readonly words: ReadonlySet<string>;
	/** The words that point to something, without those that name the owner. */
	readonly claim: ReadonlySet<string>;
	readonly values: Values;
	readonly names: ReadonlySet<string>;
	readonly isNegated: boolean;
	readonly preferred: string | null;
}

const negation = /\b(?:not|cannot|no longer|never|stopped|quit|gave up|any ?more)\b|\b(?:dislikes?|hates?)\b/;
const past =
	/\b(?:was|were|had|did|\w{2,}ed|sold|bought|left|got|went|began|quit|won|lost|became|ran|saw|met|ate|flew|drove|made|took|gave|built|wrote|swam|rode|found|spent)\b/;
/** `on 15 May, not 14 May` says what it is; what it is not was known. */
const denied = /,? (?:and |but )?not (?:on |in |at |the )?[\w ]{1,20}$/;
const properName = /(?<![.!?:]\s|^)\b\p{Lu}[\p{L}&'’-]+/gu;
const calendar =
	/^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|i)$/;

export function statementOf({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	const { speaker, topic, words } = saidBy(text);
	const plain = plainOf(words);
	const about = subjectName((subject ?? (speaker === null ? subjectFrom(plain) : null))?.toLowerCase() ?? null);
	const parts = clausesOf(words, speaker, about, isThing(about, words)).map((clause) => partOf(clause, words));
	return {
		subject: about,
		speaker,
		topic,
		parts,
		content: new Set([...tellingWords(withoutValues(plain)), ...valuesOf(plain)]),
		isNegated: negation.test(plain),
		isPlan: parts.some(({ isPlan }) => isPlan),
		isPastTold: past.test(plain) && parts.every(({ isPlan }) => !isPlan),
		eventTime,
	};
}

/** `laundry hours`, which nobody is called. */
function isThing(subject: string | null, words: string): boolean {
	const [, ...rest] = subject?.split(" ") ?? [];
	return rest.length > 0 && rest.every((word) => words.includes(word));
}

function partOf(clause: Clause, text: string): Part {
	const { says, owner } = clause;
	const words = new Set(tellingWords(withoutValues(says)));
	const named = new Set(tellingWords(owner.name ?? ""));
	const names = [...text.matchAll(properName)]
		.map(([name]) => normalize(name))
		.filter((name) => !calendar.test(name) && !named.has(name) && says.includes(name));
	return {
		...clause,
		slots: slotsOf(says),
		single: singleOf(says),
		emptied: emptiedBy(says),
		ending: endingOf(clause),
		holding: holdingOf(says),
		takenOver: takenOverIn(says),
		words,
		claim: new Set(pointedWords(words).filter((word) => !named.has(word))),
		values: valuesByKind(says.replace(denied, "")),
		names: new Set(names),
		isNegated: negation.test(says),
		preferred: /\bprefers? (?:to )?(\w+)/.exec(says)?.[1] ?? null,
	};
}

/** `ben and others` is Ben here; `the new number` and `the number` are one. */
function subjectName(subject: string | null): string | null {
	return subject?.replace(/ (?:new|current|old) /g, " ").replace(/^(?:the|an?) | and others$/g, "") ?? null;
}

/** The words before the first plain verb, for memories that clients wrote without a subject. */
function subjectFrom(plain: string): string | null {
	return (
		/^(?:the |an? )?([\p{L}\p{N}' -]{2,40}?) (?:is|are|was|were|has|have|had|will|lives?|works?|likes?|loves?|prefers?|moved|owns?|wants?|hates?|enjoys?|does|no longer|now)\b/u.exec(
			plain,
		)?.[1] ?? null
	);
}

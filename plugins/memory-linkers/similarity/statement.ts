/** A memory, parsed for comparison: who said it, its clauses, its words and values. */

import type { MemoryDraft } from "cairn-memory";
import { attributionOf } from "./attribution.ts";
import { clausesOf, plainOf } from "./clauses.ts";
import { negation, type Part, partOf } from "./part.ts";
import { significantWords, valuesOf, withoutValues } from "./significant-words.ts";

export interface Statement {
	readonly subject: string | null;
	readonly speaker: string | null;
	readonly topic: string | null;
	readonly parts: readonly Part[];
	/** All significant words and values, without those of the context. */
	readonly content: ReadonlySet<string>;
	readonly isNegated: boolean;
	readonly isPlan: boolean;
	/** Whether it tells of a past event. */
	readonly isPastTold: boolean;
	readonly eventTime: Date | null;
}

const past =
	/\b(?:was|were|had|did|\w{2,}ed|sold|bought|left|got|went|began|quit|won|lost|became|ran|saw|met|ate|flew|drove|made|took|gave|built|wrote|swam|rode|found|spent)\b/;

/** Each of the costly properties is computed on first use: most known statements are ruled out by their subject or speaker. */
class ParsedStatement implements Statement {
	readonly subject: string | null;
	readonly speaker: string | null;
	readonly topic: string | null;
	readonly eventTime: Date | null;
	/** Without the context written before it. */
	readonly #words: string;
	readonly #plain: string;
	#parts: readonly Part[] | undefined;
	#content: ReadonlySet<string> | undefined;
	#isNegated: boolean | undefined;
	#isPlan: boolean | undefined;
	#isPastTold: boolean | undefined;

	constructor({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">) {
		const { speaker, topic, words } = attributionOf(text);
		this.#words = words;
		this.#plain = plainOf(words);
		this.subject = subjectName((subject ?? (speaker === null ? subjectFrom(this.#plain) : null))?.toLowerCase() ?? null);
		this.speaker = speaker;
		this.topic = topic;
		this.eventTime = eventTime;
	}

	get parts(): readonly Part[] {
		this.#parts ??= clausesOf(this.#words, this.speaker, this.subject, isThing(this.subject, this.#words)).map((clause) => partOf(clause, this.#words));
		return this.#parts;
	}

	get content(): ReadonlySet<string> {
		this.#content ??= new Set([...significantWords(withoutValues(this.#plain)), ...valuesOf(this.#plain)]);
		return this.#content;
	}

	get isNegated(): boolean {
		this.#isNegated ??= negation.test(this.#plain);
		return this.#isNegated;
	}

	get isPlan(): boolean {
		this.#isPlan ??= this.parts.some(({ isPlan }) => isPlan);
		return this.#isPlan;
	}

	get isPastTold(): boolean {
		this.#isPastTold ??= past.test(this.#plain) && !this.isPlan;
		return this.#isPastTold;
	}
}

export function statementOf(memory: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	return new ParsedStatement(memory);
}

/** Whether the subject is a thing such as `laundry hours`, whose words also occur in the text. */
function isThing(subject: string | null, words: string): boolean {
	const [, ...rest] = subject?.split(" ") ?? [];
	return rest.length > 0 && rest.every((word) => words.includes(word));
}

/** Makes subjects comparable: `ben and others` becomes `ben`, and `the new number` becomes `number`. */
function subjectName(subject: string | null): string | null {
	return subject?.replace(/ (?:new|current|old) /g, " ").replace(/^(?:the|an?) | and others$/g, "") ?? null;
}

/** The words before the first verb, for memories that clients wrote without a subject. */
function subjectFrom(plain: string): string | null {
	return (
		/^(?:the |an? )?([\p{L}\p{N}' -]{2,40}?) (?:is|are|was|were|has|have|had|will|lives?|works?|likes?|loves?|prefers?|moved|owns?|wants?|hates?|enjoys?|does|no longer|now)\b/u.exec(
			plain,
		)?.[1] ?? null
	);
}

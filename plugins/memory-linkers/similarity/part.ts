/** A clause with what is compared of it, found out when it is asked for: most clauses are of other people, and that shows first. */

import { normalize } from "cairn-memory/words";
import type { Clause } from "./clauses.ts";
import { type Ending, endingsOf } from "./endings.ts";
import { type Holding, holdingOf } from "./holders.ts";
import { singleOf, slotsOf } from "./slots.ts";
import { pointedWords, tellingWords, withoutValues } from "./telling-words.ts";
import { type Values, valuesByKind } from "./values.ts";

export type Part = Clause & Marks;

/** What a clause is about, `neighbours' cat`: the leading word, and whose it is. */
export interface About {
	readonly head: readonly string[];
	readonly of: readonly string[];
}

const pronoun = /\b(?:i|we|it|they|he|she|this|that|there|here|you|everyone|everything|nobody|all|who|what|me|these|those|which|one)\b/;
/** Of `the new number` it is asked what is new; what begins with a preposition is about nothing known. */
const beside = /^(?:(?:the |my |our |a )?new|to|in|on|at|for|after|since|from|as|by|with|until|till|because|when|if|so|and|but)\b/;

export const negation = /\b(?:not|cannot|no longer|never|stopped|quit|gave up|any ?more)\b|\b(?:dislikes?|hates?)\b/;
/** `on 15 May, not 14 May` says what it is; what it is not was known. */
const denied = /,? (?:and |but )?not (?:on |in |at |the )?[\w ]{1,20}$/;
const properName = /(?<![.!?:]\s|^)\b\p{Lu}[\p{L}&'’-]+/gu;
const calendar =
	/^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|i)$/;

class Marks {
	readonly #clause: Clause;
	/** Of the whole statement, with its capitals. */
	readonly #text: string;
	#slots: ReadonlySet<string> | undefined;
	#single: ReturnType<typeof singleOf> | undefined;
	#endings: readonly Ending[] | undefined;
	#holding: Holding | null | undefined;
	#words: ReadonlySet<string> | undefined;
	#about: About | null | undefined;
	#claim: ReadonlySet<string> | undefined;
	#values: Values | undefined;
	#names: ReadonlySet<string> | undefined;
	#isNegated: boolean | undefined;

	constructor(clause: Clause, text: string) {
		Object.assign(this, clause);
		this.#clause = clause;
		this.#text = text;
	}

	get slots(): ReadonlySet<string> {
		this.#slots ??= slotsOf(this.#clause.says);
		return this.#slots;
	}

	get single(): ReturnType<typeof singleOf> {
		if (this.#single === undefined) this.#single = singleOf(this.#clause.says);
		return this.#single;
	}

	get endings(): readonly Ending[] {
		this.#endings ??= endingsOf(this.#clause);
		return this.#endings;
	}

	get holding(): Holding | null {
		if (this.#holding === undefined) this.#holding = holdingOf(this.#clause.says);
		return this.#holding;
	}

	/** Null where no name or thing stands before the verb. */
	get about(): About | null {
		if (this.#about === undefined) this.#about = aboutOf(this.#clause.before);
		return this.#about;
	}

	get words(): ReadonlySet<string> {
		this.#words ??= new Set(tellingWords(withoutValues(this.#clause.says)));
		return this.#words;
	}

	/** The words that point to something, without those that name the owner. */
	get claim(): ReadonlySet<string> {
		this.#claim ??= new Set(pointedWords(this.words)).difference(this.#named);
		return this.#claim;
	}

	get values(): Values {
		this.#values ??= valuesByKind(this.#clause.says.replace(denied, ""));
		return this.#values;
	}

	/** Proper names in the clause, in lower case, but for the owner's. */
	get names(): ReadonlySet<string> {
		this.#names ??= new Set(
			[...this.#text.matchAll(properName)]
				.map(([name]) => normalize(name))
				.filter((name) => !calendar.test(name) && !this.#named.has(name) && this.#clause.says.includes(name)),
		);
		return this.#names;
	}

	get isNegated(): boolean {
		this.#isNegated ??= negation.test(this.#clause.says);
		return this.#isNegated;
	}

	get #named(): ReadonlySet<string> {
		return new Set(tellingWords(this.#clause.owner.name ?? ""));
	}
}

export function partOf(clause: Clause, text: string): Part {
	return new Marks(clause, text) as Part;
}

function aboutOf(before: string | null): About | null {
	if (before === null || pronoun.test(before) || beside.test(before)) return null;
	const [, possessor = "", thing = before] = /^(?:the |my |our )?(.+?)(?:'s|s') (.+)$/.exec(before) ?? [];
	const head = pointedWords(tellingWords(thing.split(/ (?:of|for|with|at|in|on|from|to) /)[0] ?? thing)).slice(-1);
	return head.length === 0 && possessor === "" ? null : { head, of: tellingWords(possessor) };
}

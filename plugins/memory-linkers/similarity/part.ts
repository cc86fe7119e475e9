/** A clause with everything that is compared. Each property is computed on first use, because most clauses are ruled out early, by their owner. */

import { normalize } from "cairn-memory/words";
import type { Clause } from "./clauses.ts";
import { type Ending, endingsOf } from "./endings.ts";
import { type Holding, holdingOf } from "./holders.ts";
import { distinctiveWords, significantWords, withoutValues } from "./significant-words.ts";
import { singleOf, slotsOf } from "./slots.ts";
import { type Values, valuesByKind } from "./values.ts";

/** A clause and its computed properties. */
export type Part = Clause & LazyProperties;

/** What a clause is about: in `neighbours' cat` the main word `cat`, and its owner `neighbours`. */
export interface About {
	readonly head: readonly string[];
	readonly of: readonly string[];
}

const pronoun = /\b(?:i|we|it|they|he|she|this|that|there|here|you|everyone|everything|nobody|all|who|what|me|these|those|which|one)\b/;
/** Beginnings that name no known thing: a preposition, or `new`. */
const notAbout = /^(?:(?:the |my |our |a )?new|to|in|on|at|for|after|since|from|as|by|with|until|till|because|when|if|so|and|but)\b/;

export const negation = /\b(?:not|cannot|no longer|never|stopped|quit|gave up|any ?more)\b|\b(?:dislikes?|hates?)\b/;
/** A denied value at the end, which is ignored: `on 15 May, not 14 May`. */
const denied = /,? (?:and |but )?not (?:on |in |at |the )?[\w ]{1,20}$/;
const properName = /(?<![.!?:]\s|^)\b\p{Lu}[\p{L}&'’-]+/gu;
/** Capitalised words that are no names. */
const calendar =
	/^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|i)$/;

class LazyProperties {
	readonly #clause: Clause;
	/** The whole statement, with its capitals. */
	readonly #statementText: string;
	#slots: ReadonlySet<string> | undefined;
	#single: ReturnType<typeof singleOf> | undefined;
	#endings: readonly Ending[] | undefined;
	#holding: Holding | null | undefined;
	#about: About | null | undefined;
	#claim: ReadonlySet<string> | undefined;
	#values: Values | undefined;
	#names: ReadonlySet<string> | undefined;
	#namedWords: ReadonlySet<string> | undefined;
	#days: ReadonlySet<string> | undefined;
	#isNegated: boolean | undefined;
	#ownerWords: readonly string[] | undefined;

	constructor(clause: Clause, statementText: string) {
		Object.assign(this, clause);
		this.#clause = clause;
		this.#statementText = statementText;
	}

	get slots(): ReadonlySet<string> {
		this.#slots ??= slotsOf(this.#clause.text);
		return this.#slots;
	}

	get single(): ReturnType<typeof singleOf> {
		if (this.#single === undefined) this.#single = singleOf(this.#clause.text);
		return this.#single;
	}

	get endings(): readonly Ending[] {
		this.#endings ??= endingsOf(this.#clause);
		return this.#endings;
	}

	get holding(): Holding | null {
		if (this.#holding === undefined) this.#holding = holdingOf(this.#clause.text);
		return this.#holding;
	}

	/** Null if no name or thing comes before the verb. */
	get about(): About | null {
		if (this.#about === undefined) this.#about = aboutOf(this.#clause.beforeVerb);
		return this.#about;
	}

	/** It is rarely asked for again, and the words of a text are cached. */
	get words(): readonly string[] {
		return significantWords(withoutValues(this.#clause.text));
	}

	/** The distinctive words of the clause, without those of the owner's name. */
	get claim(): ReadonlySet<string> {
		if (this.#claim !== undefined) return this.#claim;
		const nameWords = this.#nameWords;
		this.#claim = setOf(distinctiveWords(this.words).filter((word) => !nameWords.includes(word)));
		return this.#claim;
	}

	get values(): Values {
		this.#values ??= valuesByKind(this.#clause.text.replace(denied, ""));
		return this.#values;
	}

	/** Proper names in the clause, in lower case, without the owner's. */
	get names(): ReadonlySet<string> {
		if (this.#names !== undefined) return this.#names;
		const nameWords = this.#nameWords;
		this.#names = setOf(
			[...this.#statementText.matchAll(properName)]
				.map(([name]) => normalize(name))
				.filter((name) => !calendar.test(name) && !nameWords.includes(name) && this.#clause.text.includes(name)),
		);
		return this.#names;
	}

	/** The words of the proper names. */
	get namedWords(): ReadonlySet<string> {
		this.#namedWords ??= setOf([...this.names].flatMap(significantWords));
		return this.#namedWords;
	}

	/** The days that it names. */
	get days(): ReadonlySet<string> {
		const { values } = this;
		this.#days ??= setOf([...(this.#clause.text.match(/\bday \d+\b/g) ?? []), ...(values.get("day") ?? []), ...(values.get("weekday") ?? [])]);
		return this.#days;
	}

	get isNegated(): boolean {
		this.#isNegated ??= negation.test(this.#clause.text);
		return this.#isNegated;
	}

	/** The words of the name, if the owner is a person: of `ana's sister` only `ana`. */
	get ownerWords(): readonly string[] {
		const { kind, name } = this.#clause.owner;
		this.#ownerWords ??= kind === "person" ? significantWords(name?.replace(/'s .*/, "") ?? "") : [];
		return this.#ownerWords;
	}

	get #nameWords(): readonly string[] {
		return significantWords(this.#clause.owner.name ?? "");
	}
}

const none: ReadonlySet<string> = new Set();

/** Most sets of a clause are empty. They are one and the same, since thousands of clauses are kept. */
function setOf(words: readonly string[]): ReadonlySet<string> {
	return words.length === 0 ? none : new Set(words);
}

export function partOf(clause: Clause, statementText: string): Part {
	return new LazyProperties(clause, statementText) as Part;
}

function aboutOf(beforeVerb: string | null): About | null {
	if (beforeVerb === null || pronoun.test(beforeVerb) || notAbout.test(beforeVerb)) return null;
	const [, possessor = "", thing = beforeVerb] = /^(?:the |my |our )?(.+?)(?:'s|s') (.+)$/.exec(beforeVerb) ?? [];
	const head = distinctiveWords(significantWords(thing.split(/ (?:of|for|with|at|in|on|from|to) /)[0] ?? thing)).slice(-1);
	return head.length === 0 && possessor === "" ? null : { head, of: significantWords(possessor) };
}

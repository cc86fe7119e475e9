/** A clause with what is compared of it, found out when it is asked for: most clauses are of other people, and that shows first. */

import { normalize } from "cairn-memory";
import type { Clause } from "./clauses.ts";
import { type Ending, endingOf } from "./endings.ts";
import { type Holding, holdingOf, takenOverIn } from "./holders.ts";
import { emptiedBy, singleOf, slotsOf } from "./slots.ts";
import { pointedWords, tellingWords, withoutValues } from "./telling-words.ts";
import { type Values, valuesByKind } from "./values.ts";

export type Part = Clause & Marks;

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
	#emptied: ReadonlySet<string> | undefined;
	#single: ReturnType<typeof singleOf> | undefined;
	#ending: Ending | null | undefined;
	#holding: Holding | null | undefined;
	#takenOver: ReadonlySet<string> | undefined;
	#words: ReadonlySet<string> | undefined;
	#claim: ReadonlySet<string> | undefined;
	#values: Values | undefined;
	#names: ReadonlySet<string> | undefined;
	#isNegated: boolean | undefined;
	#preferred: string | null | undefined;

	constructor(clause: Clause, text: string) {
		Object.assign(this, clause);
		this.#clause = clause;
		this.#text = text;
	}

	get slots(): ReadonlySet<string> {
		this.#slots ??= slotsOf(this.#clause.says);
		return this.#slots;
	}

	get emptied(): ReadonlySet<string> {
		this.#emptied ??= emptiedBy(this.#clause.says);
		return this.#emptied;
	}

	get single(): ReturnType<typeof singleOf> {
		if (this.#single === undefined) this.#single = singleOf(this.#clause.says);
		return this.#single;
	}

	get ending(): Ending | null {
		if (this.#ending === undefined) this.#ending = endingOf(this.#clause);
		return this.#ending;
	}

	get holding(): Holding | null {
		if (this.#holding === undefined) this.#holding = holdingOf(this.#clause.says);
		return this.#holding;
	}

	get takenOver(): ReadonlySet<string> {
		this.#takenOver ??= takenOverIn(this.#clause.says);
		return this.#takenOver;
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

	/** What is put before something else. */
	get preferred(): string | null {
		if (this.#preferred === undefined) this.#preferred = /\bprefers? (?:to )?(\w+)/.exec(this.#clause.says)?.[1] ?? null;
		return this.#preferred;
	}

	get #named(): ReadonlySet<string> {
		return new Set(tellingWords(this.#clause.owner.name ?? ""));
	}
}

export function partOf(clause: Clause, text: string): Part {
	return new Marks(clause, text) as Part;
}

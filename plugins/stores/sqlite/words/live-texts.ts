/** The texts of one index at one state of the tables: those in the file, those read since, and which of both were deleted. */

import { type Language, languages, languageTerm } from "cairn-memory/words";
import type { Connection } from "../../sql/bun-connection.ts";
import { FreshTexts } from "./fresh/fresh-texts.ts";
import type { TextSegment } from "./scoring/text-segment.ts";
import { gramsOfText } from "./scoring/text-spellings.ts";
import type { LoadedWords } from "./stored/word-folder.ts";
import { areChangesKept, changesAfter, firstKeysAfter, keysAfter, newestChange, pageChanges, pageKeys, pageTexts, textsAfter, textsOf } from "./text-tables.ts";
import type { WordAddress } from "./word-address.ts";

type StatementRunner = Pick<Connection, "statement">;

/** A segment, and its range of all document numbers. */
export interface TextPart {
	readonly segment: TextSegment;
	/** Added to its document numbers. */
	readonly offset: number;
	/** By document number, 1 for a deleted text; null if none was deleted. It may be shorter than the segment. */
	readonly dead: Uint8Array | null;
	/** By gram, how many deleted texts have it; null if none was deleted. */
	readonly deadGrams: ReadonlyMap<number, number> | null;
}

const stemmed = languages.filter(({ stem }) => stem !== null);

/**
 * Up to this many first chunks are read in the order of their keys, so that equal scores keep that order. If there are more, the newest are
 * read first.
 */
const inOrderMax = 500;

/**
 * The result of a step of reading: `current` if all is known, `behind` if only later parts of long documents are missing, `more` if there
 * is more to read, `lost` if changes that were missed are no longer in the log.
 */
export type CaughtUp = "current" | "behind" | "more" | "lost";

export class LiveTexts {
	readonly generation: string | null;
	readonly fresh = new FreshTexts();
	charactersRead = 0;
	readonly #address: WordAddress;
	readonly #stored: TextSegment | null;
	readonly #dead: [Uint8Array | null, Uint8Array | null] = [null, null];
	readonly #deadGrams: [Map<number, number> | null, Map<number, number> | null] = [null, null];
	#deadGramOccurrences = 0;
	#storedLanguages: ReadonlySet<Language> | null = null;
	#deadTexts = 0;
	#deadFresh = 0;
	#deadWords = 0;
	/** All texts up to this key are known. */
	#lastKey: number;
	/** The first chunks up to this key are known, or are listed in `#first`. */
	#lastFirst: number;
	readonly #first: number[] = [];
	#lastChange: number | null;

	constructor(address: WordAddress, loaded: LoadedWords | null) {
		this.#address = address;
		this.#stored = loaded?.texts ?? null;
		this.generation = loaded?.manifest.generation ?? null;
		this.#lastKey = loaded?.manifest.lastKey ?? 0;
		this.#lastFirst = this.#lastKey;
		this.#lastChange = loaded?.manifest.lastChange ?? null;
	}

	/** How many texts exist. */
	get texts(): number {
		return (this.#stored?.size ?? 0) + this.fresh.size - this.#deadTexts;
	}

	/** How many words the existing texts have together. */
	get wordCount(): number {
		return (this.#stored?.wordCount ?? 0) + this.fresh.wordCount - this.#deadWords;
	}

	/** How many texts were deleted and not restored. */
	get deadTexts(): number {
		return this.#deadTexts;
	}

	/** How many of them were read from the tables, so that they are gone when all are read again. */
	get deadFresh(): number {
		return this.#deadFresh;
	}

	/** How many grams the existing texts have together. */
	get gramOccurrences(): number {
		return (this.#stored?.spellings.gramOccurrences ?? 0) + this.fresh.spellings.gramOccurrences - this.#deadGramOccurrences;
	}

	/** The languages with a stemmer in which there is or was a text. */
	get languages(): readonly Language[] {
		const stored = this.#stored;
		this.#storedLanguages ??= new Set(stored === null ? [] : stemmed.filter((language) => stored.postings(languageTerm(language)) !== null));
		const before = this.#storedLanguages;
		return stemmed.filter((language) => before.has(language) || this.fresh.has(languageTerm(language)));
	}

	/** One past the greatest document number. */
	get documentNumbers(): number {
		return (this.#stored?.size ?? 0) + this.fresh.size;
	}

	/** Its memory, without the mapped file. */
	get byteLength(): number {
		return this.fresh.byteLength + (this.#dead[0]?.length ?? 0) + (this.#dead[1]?.length ?? 0);
	}

	parts(): readonly TextPart[] {
		const fresh = { segment: this.fresh, offset: this.#stored?.size ?? 0, dead: this.#dead[1], deadGrams: this.#deadGrams[1] };
		return this.#stored === null ? [fresh] : [{ segment: this.#stored, offset: 0, dead: this.#dead[0], deadGrams: this.#deadGrams[0] }, fresh];
	}

	key(documentNumber: number): number {
		const stored = this.#stored?.size ?? 0;
		return documentNumber < stored ? (this.#stored?.key(documentNumber) ?? 0) : this.fresh.key(documentNumber - stored);
	}

	lives(documentNumber: number): boolean {
		const stored = this.#stored?.size ?? 0;
		return (documentNumber < stored ? this.#dead[0]?.[documentNumber] : this.#dead[1]?.[documentNumber - stored]) !== 1;
	}

	/** The document number of an existing text, or -1. */
	documentNumberOf(key: number): number {
		const [part, documentNumber] = this.#find(key);
		return documentNumber < 0 || this.#dead[part]?.[documentNumber] === 1 ? -1 : documentNumber + (part === 0 ? 0 : (this.#stored?.size ?? 0));
	}

	/**
	 * Reads new texts and changes for a few milliseconds. It must be called within a snapshot, so that all are of one state of the tables.
	 * @param isHurried reads only the first chunks of documents, so that a small document is known soon, even if a long one was added with it.
	 */
	catchUp(db: StatementRunner, isHurried = false): CaughtUp {
		this.#lastChange ??= newestChange(db);
		if (!areChangesKept(db, this.#lastChange)) return "lost";
		const changes = changesAfter(db, this.#address, this.#lastChange);
		if (changes.length > 0) this.#applyChanges(db, [...new Set(changes.map(({ key }) => key))]);
		this.#lastChange = changes.at(-1)?.sequence ?? this.#lastChange;
		if (changes.length === pageChanges || (isHurried && this.#readFirst(db))) return "more";
		const known = this.#lastFirst > this.#lastKey || isHurried ? this.#skipKnown(db) : "behind";
		if (known !== "behind" || isHurried) return known;
		const texts = textsAfter(db, this.#address, this.#lastKey);
		for (const { key, text } of texts) this.#add(key, text);
		this.#lastKey = texts.at(-1)?.key ?? this.#lastKey;
		return texts.length === pageTexts ? "more" : "current";
	}

	/** Reads first chunks of documents. @returns whether there are more. */
	#readFirst(db: StatementRunner): boolean {
		const keys = firstKeysAfter(db, this.#address, Math.max(this.#lastFirst, this.#lastKey));
		for (const key of keys) this.#first.push(key);
		this.#lastFirst = keys.at(-1) ?? this.#lastFirst;
		// They are read in their order. If there are too many to wait for, the newest come first, because somebody may be searching for them.
		const page = this.#first.splice(this.#first.length > inOrderMax ? -pageTexts : 0, pageTexts).filter((key) => !this.#isKnown(key));
		if (page.length > 0) for (const { key, text } of textsOf(db, this.#address, page)) this.#add(key, text);
		return keys.length === pageKeys || this.#first.length > 0;
	}

	/** Skips texts that were read earlier as first chunks. */
	#skipKnown(db: StatementRunner): "current" | "behind" | "more" {
		const keys = keysAfter(db, this.#address, this.#lastKey);
		for (const key of keys) {
			if (!this.#isKnown(key)) return "behind";
			this.#lastKey = key;
		}
		return keys.length === pageKeys ? "more" : "current";
	}

	#isKnown(key: number): boolean {
		return this.#find(key)[1] >= 0;
	}

	#add(key: number, text: string): void {
		if (this.#isKnown(key)) return;
		this.fresh.add(key, text);
		this.charactersRead += text.length;
	}

	/** Marks deleted texts, and unmarks restored ones, or reads them if they are unknown. */
	#applyChanges(db: StatementRunner, keys: readonly number[]): void {
		const living = new Map(textsOf(db, this.#address, keys).map(({ key, text }) => [key, text]));
		for (const key of keys) {
			const text = living.get(key);
			const [part, documentNumber] = this.#find(key);
			if (documentNumber >= 0) this.#setDead(part, documentNumber, text === undefined);
			else if (text !== undefined) this.#add(key, text);
		}
	}

	#find(key: number): readonly [0 | 1, number] {
		const stored = this.#stored?.documentNumberOf(key) ?? -1;
		return stored >= 0 ? [0, stored] : [1, this.fresh.documentNumberOf(key)];
	}

	#setDead(part: 0 | 1, documentNumber: number, isDead: boolean): void {
		const segment = part === 0 ? this.#stored : this.fresh;
		let dead = this.#dead[part];
		if (segment === null || (dead?.[documentNumber] === 1) === isDead) return;
		if (dead === null || dead.length <= documentNumber) {
			const before = dead;
			dead = new Uint8Array(part === 0 ? segment.size : segment.size * 2);
			if (before !== null) dead.set(before);
			this.#dead[part] = dead;
		}
		dead[documentNumber] = Number(isDead);
		this.#deadTexts += isDead ? 1 : -1;
		if (part === 1) this.#deadFresh += isDead ? 1 : -1;
		this.#deadWords += (segment.lengths[documentNumber] ?? 0) * (isDead ? 1 : -1);
		this.#deadGramOccurrences += (segment.spellings.gramLengths[documentNumber] ?? 0) * (isDead ? 1 : -1);
		this.#deadGrams[part] ??= new Map();
		const counts = this.#deadGrams[part];
		for (const gram of gramsOfText(segment.spellings, documentNumber)) counts?.set(gram, (counts.get(gram) ?? 0) + (isDead ? 1 : -1));
	}
}

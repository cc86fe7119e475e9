/** The texts of one index at one moment of the tables: those of the file, those read since, and which of both have gone. */

import { type Language, languages, languageTerm } from "cairn-memory/words";
import type { Connection } from "../../sql/bun-connection.ts";
import { FreshTexts } from "./fresh/fresh-texts.ts";
import { gramsOfText } from "./scoring/spelled-texts.ts";
import type { TextSegment } from "./scoring/text-segment.ts";
import type { LoadedWords } from "./stored/word-folder.ts";
import { areChangesKept, changesAfter, firstKeysAfter, keysAfter, newestChange, pageChanges, pageKeys, pageTexts, textsAfter, textsOf } from "./text-tables.ts";
import type { WordAddress } from "./word-address.ts";

type Tables = Pick<Connection, "statement">;

/** One segment's place among all document numbers. */
export interface TextPart {
	readonly segment: TextSegment;
	/** Added to its document numbers. */
	readonly offset: number;
	/** By document number, 1 where a text has gone; null when none has. May be shorter than the segment. */
	readonly dead: Uint8Array | null;
	/** By gram, how many of the dead have it; null when none has gone. */
	readonly deadGrams: ReadonlyMap<number, number> | null;
}

const stemmed = languages.filter(({ stem }) => stem !== null);

/** So many beginnings are read in the order of their keys, so that equal scores come in that order; of more the newest come first. */
const inOrderMax = 500;

/**
 * What a turn of reading has come to: all is known, or all but later parts of long documents, there is more to read, or what
 * was missed is not written down any more.
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
	#deadGramsSaid = 0;
	#storedLanguages: ReadonlySet<Language> | null = null;
	#deadTexts = 0;
	#deadWords = 0;
	/** All texts up to this one are known. */
	#lastKey: number;
	/** The beginnings up to this one are known, or are about to be read. */
	#lastFirst: number;
	readonly #first: number[] = [];
	#lastChange: number | null;

	constructor(address: WordAddress, loaded: LoadedWords | null) {
		this.#address = address;
		this.#stored = loaded?.texts ?? null;
		this.generation = loaded?.claims.generation ?? null;
		this.#lastKey = loaded?.claims.lastKey ?? 0;
		this.#lastFirst = this.#lastKey;
		this.#lastChange = loaded?.claims.lastChange ?? null;
	}

	/** How many texts live, and how many words they have together. */
	get texts(): number {
		return (this.#stored?.size ?? 0) + this.fresh.size - this.#deadTexts;
	}

	get words(): number {
		return (this.#stored?.words ?? 0) + this.fresh.words - this.#deadWords;
	}

	/** How many have gone, and have not come back. */
	get deadTexts(): number {
		return this.#deadTexts;
	}

	/** How many grams they have together. */
	get gramsSaid(): number {
		return (this.#stored?.spelled.gramsSaid ?? 0) + this.fresh.spelled.gramsSaid - this.#deadGramsSaid;
	}

	/** Those in which a text is or was, and whose stems are known. */
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

	/** What is held in memory; a mapped file is not. */
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

	/** The document number of a text that lives, or -1. */
	documentNumberOf(key: number): number {
		const [part, documentNumber] = this.#find(key);
		return documentNumber < 0 || this.#dead[part]?.[documentNumber] === 1 ? -1 : documentNumber + (part === 0 ? 0 : (this.#stored?.size ?? 0));
	}

	/**
	 * Reads on for a few milliseconds, all of it from one state of the tables: call it within a snapshot.
	 * @param isHurried reads the beginnings of documents and no more, so that a small one is known at once however long
	 * another is that came with it
	 */
	catchUp(db: Tables, isHurried = false): CaughtUp {
		this.#lastChange ??= newestChange(db);
		if (!areChangesKept(db, this.#lastChange)) return "lost";
		const changes = changesAfter(db, this.#address, this.#lastChange);
		if (changes.length > 0) this.#take(db, [...new Set(changes.map(({ key }) => key))]);
		this.#lastChange = changes.at(-1)?.sequence ?? this.#lastChange;
		if (changes.length === pageChanges || (isHurried && this.#readFirst(db))) return "more";
		const known = this.#lastFirst > this.#lastKey || isHurried ? this.#passKnown(db) : "behind";
		if (known !== "behind" || isHurried) return known;
		const texts = textsAfter(db, this.#address, this.#lastKey);
		for (const { key, text } of texts) this.#add(key, text);
		this.#lastKey = texts.at(-1)?.key ?? this.#lastKey;
		return texts.length === pageTexts ? "more" : "current";
	}

	/** @returns whether there are more. */
	#readFirst(db: Tables): boolean {
		const keys = firstKeysAfter(db, this.#address, Math.max(this.#lastFirst, this.#lastKey));
		for (const key of keys) this.#first.push(key);
		this.#lastFirst = keys.at(-1) ?? this.#lastFirst;
		// In their order, unless they are more than who is hurried waits for: then somebody may be waiting for the newest.
		const page = this.#first.splice(this.#first.length > inOrderMax ? -pageTexts : 0, pageTexts).filter((key) => !this.#isKnown(key));
		if (page.length > 0) for (const { key, text } of textsOf(db, this.#address, page)) this.#add(key, text);
		return keys.length === pageKeys || this.#first.length > 0;
	}

	/** Goes on past texts that were read before their turn. */
	#passKnown(db: Tables): "current" | "behind" | "more" {
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

	/** What has gone is buried, what has come back is dug out, or read when it was never here. */
	#take(db: Tables, keys: readonly number[]): void {
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
		this.#deadWords += (segment.lengths[documentNumber] ?? 0) * (isDead ? 1 : -1);
		this.#deadGramsSaid += (segment.spelled.gramLengths[documentNumber] ?? 0) * (isDead ? 1 : -1);
		this.#deadGrams[part] ??= new Map();
		const counts = this.#deadGrams[part];
		for (const gram of gramsOfText(segment.spelled, documentNumber)) counts?.set(gram, (counts.get(gram) ?? 0) + (isDead ? 1 : -1));
	}
}

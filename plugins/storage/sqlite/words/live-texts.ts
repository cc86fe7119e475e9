/** The texts of one index at one moment of the tables: those of the file, those read since, and which of both have gone. */

import { type Language, languages, languageTerm } from "cairn";
import type { Connection } from "../connection.ts";
import { FreshTexts } from "./fresh-texts.ts";
import { gramsOfText } from "./spelled-texts.ts";
import type { TextSegment } from "./text-segment.ts";
import { areChangesKept, changesAfter, newestChange, pageChanges, pageTexts, textsAfter, textsOf } from "./text-tables.ts";
import type { WordAddress } from "./word-address.ts";
import type { LoadedWords } from "./word-folder.ts";

type Tables = Pick<Connection, "statement">;

/** One segment's place among all slots. */
export interface TextPart {
	readonly segment: TextSegment;
	/** Added to its slots. */
	readonly offset: number;
	/** By slot, 1 where a text has gone; null when none has. May be shorter than the segment. */
	readonly dead: Uint8Array | null;
	/** By gram, how many of the dead have it; null when none has gone. */
	readonly deadGrams: ReadonlyMap<number, number> | null;
}

const stemmed = languages.filter(({ stem }) => stem !== null);

/** What a turn of reading has come to: all is known, there is more to read, or what was missed is not written down any more. */
export type CaughtUp = "current" | "more" | "lost";

export class LiveTexts {
	readonly generation: string | null;
	readonly fresh = new FreshTexts();
	readonly #address: WordAddress;
	readonly #stored: TextSegment | null;
	readonly #dead: [Uint8Array | null, Uint8Array | null] = [null, null];
	readonly #deadGrams: [Map<number, number> | null, Map<number, number> | null] = [null, null];
	#deadGramsSaid = 0;
	#storedLanguages: ReadonlySet<Language> | null = null;
	#deadTexts = 0;
	#deadWords = 0;
	#lastKey: number;
	#lastChange: number | null;

	constructor(address: WordAddress, loaded: LoadedWords | null) {
		this.#address = address;
		this.#stored = loaded?.texts ?? null;
		this.generation = loaded?.claims.generation ?? null;
		this.#lastKey = loaded?.claims.lastKey ?? 0;
		this.#lastChange = loaded?.claims.lastChange ?? null;
	}

	/** How many texts live, and how many words they have together. */
	get texts(): number {
		return (this.#stored?.size ?? 0) + this.fresh.size - this.#deadTexts;
	}

	get words(): number {
		return (this.#stored?.words ?? 0) + this.fresh.words - this.#deadWords;
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

	/** One past the greatest slot. */
	get slots(): number {
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

	key(slot: number): number {
		const stored = this.#stored?.size ?? 0;
		return slot < stored ? (this.#stored?.key(slot) ?? 0) : this.fresh.key(slot - stored);
	}

	/** The slot of a text that lives, or -1. */
	slotOf(key: number): number {
		const [part, slot] = this.#find(key);
		return slot < 0 || this.#dead[part]?.[slot] === 1 ? -1 : slot + (part === 0 ? 0 : (this.#stored?.size ?? 0));
	}

	/** Reads on for a few milliseconds, all of it from one state of the tables: call it within a snapshot. */
	catchUp(db: Tables): CaughtUp {
		this.#lastChange ??= newestChange(db);
		if (!areChangesKept(db, this.#lastChange)) return "lost";
		const texts = textsAfter(db, this.#address, this.#lastKey);
		for (const { key, text } of texts) this.fresh.add(key, text);
		this.#lastKey = texts.at(-1)?.key ?? this.#lastKey;
		if (texts.length === pageTexts) return "more";
		const changes = changesAfter(db, this.#address, this.#lastChange);
		if (changes.length > 0) this.#take(db, [...new Set(changes.map(({ key }) => key))]);
		this.#lastChange = changes.at(-1)?.sequence ?? this.#lastChange;
		return changes.length === pageChanges ? "more" : "current";
	}

	/** What has gone is buried, what has come back is dug out, or read when it was never here. */
	#take(db: Tables, keys: readonly number[]): void {
		const living = new Map(textsOf(db, this.#address, keys).map(({ key, text }) => [key, text]));
		for (const key of keys) {
			const text = living.get(key);
			const [part, slot] = this.#find(key);
			if (slot >= 0) this.#setDead(part, slot, text === undefined);
			else if (text !== undefined) this.fresh.add(key, text);
		}
	}

	#find(key: number): readonly [0 | 1, number] {
		const stored = this.#stored?.slotOf(key) ?? -1;
		return stored >= 0 ? [0, stored] : [1, this.fresh.slotOf(key)];
	}

	#setDead(part: 0 | 1, slot: number, isDead: boolean): void {
		const segment = part === 0 ? this.#stored : this.fresh;
		let dead = this.#dead[part];
		if (segment === null || (dead?.[slot] === 1) === isDead) return;
		if (dead === null || dead.length <= slot) {
			const before = dead;
			dead = new Uint8Array(part === 0 ? segment.size : segment.size * 2);
			if (before !== null) dead.set(before);
			this.#dead[part] = dead;
		}
		dead[slot] = Number(isDead);
		this.#deadTexts += isDead ? 1 : -1;
		this.#deadWords += (segment.lengths[slot] ?? 0) * (isDead ? 1 : -1);
		this.#deadGramsSaid += (segment.spelled.gramLengths[slot] ?? 0) * (isDead ? 1 : -1);
		this.#deadGrams[part] ??= new Map();
		const counts = this.#deadGrams[part];
		for (const gram of gramsOfText(segment.spelled, slot)) counts?.set(gram, (counts.get(gram) ?? 0) + (isDead ? 1 : -1));
	}
}

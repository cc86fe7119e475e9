/**
 * Texts that were read from the tables and are in no file. The postings of all words lie in three arrays that grow
 * together, each posting naming the next of its word: 10 bytes a posting, whether a word has one or a million.
 */

import { indexWords } from "cairn";
import { countMax, type Postings, type TextSegment } from "./text-segment.ts";

const none = 0xffffffff;
const startSize = 1_024;

type Numbers = Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export class FreshTexts implements TextSegment {
	size = 0;
	words = 0;
	postingCount = 0;
	lengths = new Uint32Array(startSize);
	#keys = new Float64Array(startSize);
	readonly #slots = new Map<number, number>();
	/** Of each word the number under which the three arrays after it know it. */
	readonly #terms = new Map<string, number>();
	#first = new Uint32Array(startSize);
	#last = new Uint32Array(startSize);
	#holders = new Uint32Array(startSize);
	#postingSlots = new Uint32Array(startSize);
	#postingCounts = new Uint16Array(startSize);
	#postingNext = new Uint32Array(startSize);

	/** What it holds in memory, the words themselves by estimate. */
	get byteLength(): number {
		const perText = Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT + 40;
		return this.lengths.length * perText + this.#first.length * 112 + this.#postingSlots.length * 10;
	}

	add(key: number, text: string): void {
		const slot = this.size++;
		if (slot === this.lengths.length) {
			this.lengths = doubled(this.lengths);
			this.#keys = doubled(this.#keys);
		}
		const words = indexWords(text);
		this.#keys[slot] = key;
		this.#slots.set(key, slot);
		this.lengths[slot] = words.length;
		this.words += words.length;
		for (const word of words) this.#count(this.#termOf(word), slot);
	}

	key(slot: number): number {
		return this.#keys[slot] ?? 0;
	}

	slotOf(key: number): number {
		return this.#slots.get(key) ?? -1;
	}

	postings(word: string): Postings | null {
		const term = this.#terms.get(word);
		return term === undefined ? null : this.postingsOf(term);
	}

	/** All words with their numbers, in no order. */
	terms(): IterableIterator<[string, number]> {
		return this.#terms.entries();
	}

	postingsOf(term: number): Postings {
		const holders = this.#holders[term] ?? 0;
		const slots = new Uint32Array(holders);
		const counts = new Uint16Array(holders);
		let posting = this.#first[term] ?? 0;
		for (let i = 0; i < holders; i++) {
			slots[i] = this.#postingSlots[posting] ?? 0;
			counts[i] = this.#postingCounts[posting] ?? 0;
			posting = this.#postingNext[posting] ?? 0;
		}
		return { slots, counts };
	}

	#termOf(word: string): number {
		const known = this.#terms.get(word);
		if (known !== undefined) return known;
		const term = this.#terms.size;
		this.#terms.set(word, term);
		if (term === this.#first.length) {
			this.#first = doubled(this.#first);
			this.#last = doubled(this.#last);
			this.#holders = doubled(this.#holders);
		}
		this.#last[term] = none;
		return term;
	}

	/** A text's words come one after another, so a word that it already has is the last posting of its chain. */
	#count(term: number, slot: number): void {
		const last = this.#last[term] ?? none;
		if (last !== none && this.#postingSlots[last] === slot) {
			this.#postingCounts[last] = Math.min(countMax, (this.#postingCounts[last] ?? 0) + 1);
			return;
		}
		const posting = this.postingCount++;
		if (posting === this.#postingSlots.length) {
			this.#postingSlots = doubled(this.#postingSlots);
			this.#postingCounts = doubled(this.#postingCounts);
			this.#postingNext = doubled(this.#postingNext);
		}
		this.#postingSlots[posting] = slot;
		this.#postingCounts[posting] = 1;
		if (last === none) this.#first[term] = posting;
		else this.#postingNext[last] = posting;
		this.#last[term] = posting;
		this.#holders[term] = (this.#holders[term] ?? 0) + 1;
	}
}

function doubled<Kind extends Numbers>(from: Kind): Kind {
	const to = new (from.constructor as new (length: number) => Kind)(from.length * 2);
	to.set(from);
	return to;
}

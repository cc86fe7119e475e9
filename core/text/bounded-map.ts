/** A cache with a bound, which stays full. */

/** So many entries come before the iterator is made anew. */
const setsPerIterator = 1_000;

/**
 * A map for a cache. When it is full the oldest entries go, one for each that comes: so it stays full, its memory stays level, and what is
 * still needed is computed again one by one. Emptying it or dropping half of it would cost the same time at once.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
	readonly #max: number;
	readonly #weightOf: (value: Value) => number;
	#weight = 0;
	/** Goes on from where it was: what it has passed was dropped, and new entries come at the end. */
	#oldest: Iterator<Key>;
	#sets = 0;

	/** @param max how much all entries may weigh together, or how many there may be */
	constructor(max: number, weightOf: (value: Value) => number = () => 1) {
		super();
		this.#max = max;
		this.#weightOf = weightOf;
		this.#oldest = this.keys();
	}

	override set(key: Key, value: Value): this {
		this.delete(key);
		this.#weight += this.#weightOf(value);
		super.set(key, value);
		if (++this.#sets >= setsPerIterator) this.#beginAnew();
		while (this.#weight > this.#max) this.delete(this.#oldest.next().value as Key);
		return this;
	}

	override delete(key: Key): boolean {
		if (!this.has(key)) return false;
		this.#weight -= this.#weightOf(this.get(key) as Value);
		return super.delete(key);
	}

	override clear(): void {
		super.clear();
		this.#weight = 0;
		this.#beginAnew();
	}

	/** An iterator keeps every table that the map has had since it was last asked. A new one begins at the oldest entry that is left. */
	#beginAnew(): void {
		this.#oldest = this.keys();
		this.#sets = 0;
	}
}

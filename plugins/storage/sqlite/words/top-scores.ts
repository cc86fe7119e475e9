/** The best so many of a stream of scores, in a heap with the worst of them on top. Of equal scores the smaller slot is better. */

export class TopScores {
	readonly #scores: Float64Array;
	readonly #slots: Uint32Array;
	#size = 0;

	constructor(count: number) {
		this.#scores = new Float64Array(count);
		this.#slots = new Uint32Array(count);
	}

	/** What a score has to beat; nothing at all as long as there is room. */
	get threshold(): number {
		return this.#size < this.#scores.length ? 0 : (this.#scores[0] ?? 0);
	}

	/** @returns the threshold from now on. */
	offer(score: number, slot: number): number {
		if (this.#size < this.#scores.length) {
			this.#put(this.#size, score, slot);
			this.#rise(this.#size++);
		} else if (this.#isBetterThan(0, score, slot)) {
			this.#put(0, score, slot);
			this.#sink();
		}
		return this.threshold;
	}

	/** Best first. */
	sorted(): readonly { readonly slot: number; readonly score: number }[] {
		const all = Array.from({ length: this.#size }, (_, i) => ({ slot: this.#slots[i] ?? 0, score: this.#scores[i] ?? 0 }));
		return all.sort((a, b) => b.score - a.score || a.slot - b.slot);
	}

	#isBetterThan(at: number, score: number, slot: number): boolean {
		const held = this.#scores[at] ?? 0;
		return score > held || (score === held && slot < (this.#slots[at] ?? 0));
	}

	#put(at: number, score: number, slot: number): void {
		this.#scores[at] = score;
		this.#slots[at] = slot;
	}

	#swap(a: number, b: number): void {
		const score = this.#scores[a] ?? 0;
		const slot = this.#slots[a] ?? 0;
		this.#put(a, this.#scores[b] ?? 0, this.#slots[b] ?? 0);
		this.#put(b, score, slot);
	}

	#isWorse(a: number, b: number): boolean {
		return this.#isBetterThan(a, this.#scores[b] ?? 0, this.#slots[b] ?? 0);
	}

	#rise(from: number): void {
		for (let at = from; at > 0; ) {
			const parent = (at - 1) >>> 1;
			if (!this.#isWorse(at, parent)) return;
			this.#swap(at, parent);
			at = parent;
		}
	}

	#sink(): void {
		for (let at = 0; ; ) {
			let worst = at;
			for (const child of [at * 2 + 1, at * 2 + 2]) if (child < this.#size && this.#isWorse(child, worst)) worst = child;
			if (worst === at) return;
			this.#swap(at, worst);
			at = worst;
		}
	}
}

/** Collects the best scores of a stream in a heap, with the worst of them on top. Of equal scores the smaller document number is better. */

export class TopScores {
	readonly #scores: Float64Array;
	readonly #documentNumbers: Uint32Array;
	#size = 0;

	constructor(count: number) {
		this.#scores = new Float64Array(count);
		this.#documentNumbers = new Uint32Array(count);
	}

	/** The score that a new one has to beat; 0 as long as there is room. */
	get threshold(): number {
		return this.#size < this.#scores.length ? 0 : (this.#scores[0] ?? 0);
	}

	/** Offers a score. @returns the new threshold. */
	offer(score: number, documentNumber: number): number {
		if (this.#size < this.#scores.length) {
			this.#put(this.#size, score, documentNumber);
			this.#rise(this.#size++);
		} else if (this.#isBetterThan(0, score, documentNumber)) {
			this.#put(0, score, documentNumber);
			this.#sink();
		}
		return this.threshold;
	}

	/** Best first. */
	sorted(): readonly { readonly documentNumber: number; readonly score: number }[] {
		const all = Array.from({ length: this.#size }, (_, i) => ({ documentNumber: this.#documentNumbers[i] ?? 0, score: this.#scores[i] ?? 0 }));
		return all.sort((a, b) => b.score - a.score || a.documentNumber - b.documentNumber);
	}

	#isBetterThan(at: number, score: number, documentNumber: number): boolean {
		const current = this.#scores[at] ?? 0;
		return score > current || (score === current && documentNumber < (this.#documentNumbers[at] ?? 0));
	}

	#put(at: number, score: number, documentNumber: number): void {
		this.#scores[at] = score;
		this.#documentNumbers[at] = documentNumber;
	}

	#swap(a: number, b: number): void {
		const score = this.#scores[a] ?? 0;
		const documentNumber = this.#documentNumbers[a] ?? 0;
		this.#put(a, this.#scores[b] ?? 0, this.#documentNumbers[b] ?? 0);
		this.#put(b, score, documentNumber);
	}

	#isWorse(a: number, b: number): boolean {
		return this.#isBetterThan(a, this.#scores[b] ?? 0, this.#documentNumbers[b] ?? 0);
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

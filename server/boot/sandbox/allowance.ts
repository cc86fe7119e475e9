/** A budget of time that may be wasted: it grows with a share of the elapsed time, up to a maximum. */

export class Allowance {
	readonly #share: number;
	readonly #maxMs: number;
	#leftMs: number;
	#since = performance.now();

	constructor(share: number, maxMs: number) {
		this.#share = share;
		this.#maxMs = maxMs;
		this.#leftMs = maxMs;
	}

	/** @returns whether the budget had so much, with `keptMs` left. */
	spend(ms: number, keptMs: number): boolean {
		const now = performance.now();
		this.#leftMs = Math.min(this.#maxMs, this.#leftMs + (now - this.#since) * this.#share);
		this.#since = now;
		if (this.#leftMs - ms < keptMs) return false;
		this.#leftMs -= ms;
		return true;
	}
}

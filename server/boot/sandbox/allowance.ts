/** Time that may be lost: it comes in slowly, a share of the time that goes by, and is kept up to a bound. */

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

	/** @returns whether there was that much, above what shall be left. */
	spend(ms: number, keptMs: number): boolean {
		const now = performance.now();
		this.#leftMs = Math.min(this.#maxMs, this.#leftMs + (now - this.#since) * this.#share);
		this.#since = now;
		if (this.#leftMs - ms < keptMs) return false;
		this.#leftMs -= ms;
		return true;
	}
}

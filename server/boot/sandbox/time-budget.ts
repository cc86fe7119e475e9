/** A budget of time for lost work: it grows by a share of the elapsed time, up to a maximum. */

export class TimeBudget {
	readonly #share: number;
	readonly #maxMs: number;
	#leftMs: number;
	#since = performance.now();

	constructor(share: number, maxMs: number) {
		this.#share = share;
		this.#maxMs = maxMs;
		this.#leftMs = maxMs;
	}

	/** Spends `ms` if at least `reserveMs` are left then. @returns whether it was spent */
	spend(ms: number, reserveMs: number): boolean {
		const now = performance.now();
		this.#leftMs = Math.min(this.#maxMs, this.#leftMs + (now - this.#since) * this.#share);
		this.#since = now;
		if (this.#leftMs - ms < reserveMs) return false;
		this.#leftMs -= ms;
		return true;
	}
}

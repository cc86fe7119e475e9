/** Measures the time a process has worked on a call, without pauses, and fires when the call's time limit is reached. */

export class WorkClock {
	readonly #ringAfterMs: number;
	readonly #ring: () => void;
	/** Time counted up to the last pause or resume. */
	readonly #countedMs = { worked: 0, paused: 0 };
	#since = performance.now();
	#alarm: Timer | null;

	constructor(ringAfterMs: number, ring: () => void) {
		this.#ringAfterMs = ringAfterMs;
		this.#ring = ring;
		this.#alarm = setTimeout(ring, ringAfterMs);
	}

	get isPaused(): boolean {
		return this.#alarm === null;
	}

	get workedMs(): number {
		return this.#countedMs.worked + (this.isPaused ? 0 : performance.now() - this.#since);
	}

	get pausedMs(): number {
		return this.#countedMs.paused + (this.isPaused ? performance.now() - this.#since : 0);
	}

	/** Counts from now on. */
	restart(): void {
		this.stop();
		Object.assign(this.#countedMs, { worked: 0, paused: 0 });
		this.resume();
	}

	pause(): void {
		this.stop();
		this.#countedMs.worked = this.workedMs;
		this.#alarm = null;
		this.#since = performance.now();
	}

	resume(): void {
		if (this.isPaused) this.#countedMs.paused = this.pausedMs;
		this.#since = performance.now();
		this.#alarm = setTimeout(this.#ring, Math.max(0, this.#ringAfterMs - this.#countedMs.worked));
	}

	/** Cancels the timer. */
	stop(): void {
		clearTimeout(this.#alarm ?? undefined);
	}
}

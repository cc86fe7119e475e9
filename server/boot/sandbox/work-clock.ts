/** Measures the time a process has worked on a call, without pauses, and fires when the call's time limit is reached. */

export class WorkClock {
	#timeoutMs: number;
	readonly #onTimeout: () => void;
	/** Time counted up to the last pause or resume. */
	readonly #countedMs = { worked: 0, paused: 0 };
	#since = performance.now();
	#timer: Timer | null;

	constructor(timeoutMs: number, onTimeout: () => void) {
		this.#timeoutMs = timeoutMs;
		this.#onTimeout = onTimeout;
		this.#timer = setTimeout(onTimeout, timeoutMs);
	}

	get isPaused(): boolean {
		return this.#timer === null;
	}

	get workedMs(): number {
		return this.#countedMs.worked + (this.isPaused ? 0 : performance.now() - this.#since);
	}

	get pausedMs(): number {
		return this.#countedMs.paused + (this.isPaused ? performance.now() - this.#since : 0);
	}

	/** Counts from now on, up to another limit; a paused one from when it is resumed. */
	restart(timeoutMs: number): void {
		this.#timeoutMs = timeoutMs;
		Object.assign(this.#countedMs, { worked: 0, paused: 0 });
		if (this.isPaused) return;
		this.stop();
		this.resume();
	}

	pause(): void {
		this.stop();
		this.#countedMs.worked = this.workedMs;
		this.#timer = null;
		this.#since = performance.now();
	}

	resume(): void {
		if (this.isPaused) this.#countedMs.paused = this.pausedMs;
		this.#since = performance.now();
		this.#timer = setTimeout(this.#onTimeout, Math.max(0, this.#timeoutMs - this.#countedMs.worked));
	}

	/** Cancels the timer. */
	stop(): void {
		clearTimeout(this.#timer ?? undefined);
	}
}

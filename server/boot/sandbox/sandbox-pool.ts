/** The pool of warm child processes behind `Sandbox`: who gets which child, who waits, and when a child is replaced. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { createEnginePace, type EnginePace } from "./engine-pace.ts";
import { neverBegan, SandboxChild } from "./sandbox-child.ts";

export interface PoolBounds {
	/** Calls that run at once, one child each. One per core is right: engines are pure computation. */
	readonly processesMax: number;
	/** Children that stay, engines loaded, however long nothing happens. A blank one starts in 15 ms, so none is started ahead. */
	readonly warm: number;
	/** How long a child beyond `warm` may do nothing before it ends. */
	readonly idleMs: number;
	/** Calls after which a child is replaced: engines leak, slowly. */
	readonly callsPerChildMax: number;
	/** A child that holds more than this after a call is replaced: WebAssembly memory never shrinks. */
	readonly restMbMax: number;
	/** Calls that may wait. Each holds its input in memory. */
	readonly waitingMax: number;
	/** From here on a call counts as slow, see `SandboxPool`. */
	readonly slowMs: number;
}

interface Waiting {
	readonly call: SandboxCall<unknown>;
	readonly resolve: (output: unknown) => void;
	readonly reject: (reason: unknown) => void;
	/** Takes it out of the queue when its signal is aborted. */
	readonly leave: () => void;
	tries: number;
}

/** A call whose child died before taking it is given to another, this many times in all: then the system is at fault. */
const triesMax = 3;

/** Timers may ring a little early. */
const alarmDelayMs = 5;

/**
 * Calls start in the order they came. So that a scan that takes minutes does not hold up small files, there is one child
 * more than `processesMax` while a slow call runs, and only calls to quick engines may have it. Reserving
 * one of the regular children for quick calls would idle half of a two-core machine whenever only scans are waiting; one
 * more quick process costs the scans a few per cent. Slow calls cannot starve either, for regular children take the oldest.
 * An engine is slow when its calls took longer than `slowMs` of late, a call when it has been running that long. An engine
 * that has never answered yet is taken to be quick, unless it is what runs slowly.
 *
 * A call's `memoryMb` counts the whole child, engines included: about 30 MB blank, 120 MB with MuPDF.
 */
export class SandboxPool {
	readonly #bounds: PoolBounds;
	readonly #log: Log;
	readonly #pace: EnginePace;
	/** Every process alive, those being killed too: they hold memory until they are gone. */
	readonly #children = new Set<SandboxChild>();
	readonly #waiting: Waiting[] = [];
	#isClosed = false;

	constructor(bounds: PoolBounds, log: Log) {
		this.#bounds = bounds;
		this.#log = log;
		this.#pace = createEnginePace(bounds.slowMs);
	}

	get pids(): readonly number[] {
		return [...this.#children].map(({ pid }) => pid);
	}

	run(call: SandboxCall<unknown>): Promise<unknown> {
		if (call.signal.aborted) return Promise.reject(call.signal.reason);
		if (this.#isClosed) return Promise.reject(stopping());
		if (this.#waiting.length >= this.#bounds.waitingMax) return Promise.reject(fail("PROCESS_UNAVAILABLE", "too many files are waiting"));
		return new Promise((resolve, reject) => {
			const leave = () => {
				this.#waiting.splice(this.#waiting.indexOf(job), 1);
				reject(call.signal.reason);
			};
			const job: Waiting = { call, resolve, reject, leave, tries: 0 };
			this.#waiting.push(job);
			call.signal.addEventListener("abort", leave, { once: true });
			this.#dispatch();
		});
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		for (const job of this.#waiting.slice()) this.#take(job).reject(stopping());
		for (const child of this.#children) child.giveUp(stopping());
		await Promise.all([...this.#children].map(({ exited }) => exited));
	}

	#dispatch(): void {
		for (let job = this.#next(); job !== undefined; job = this.#next()) void this.#begin(this.#take(job));
	}

	#take(job: Waiting): Waiting {
		this.#waiting.splice(this.#waiting.indexOf(job), 1);
		job.call.signal.removeEventListener("abort", job.leave);
		return job;
	}

	/** The call that may start now. */
	#next(): Waiting | undefined {
		const { processesMax } = this.#bounds;
		const held = [...this.#children].filter(({ isIdle }) => !isIdle);
		if (held.length < processesMax) return this.#waiting[0];
		const slow = held.filter((child) => this.#isSlow(child));
		if (held.length > processesMax || slow.length === 0) return undefined;
		const slowNow = new Set(slow.map(({ current }) => current?.call.engine.href));
		return this.#waiting.find(({ call: { engine } }) => this.#pace.isQuick(engine.href) ?? !slowNow.has(engine.href));
	}

	#isSlow({ current }: SandboxChild): boolean {
		if (current === null) return false;
		return performance.now() - current.startedMs >= this.#bounds.slowMs || this.#pace.isQuick(current.call.engine.href) === false;
	}

	async #begin(job: Waiting): Promise<void> {
		job.tries += 1;
		const started = performance.now();
		let alarm: Timer | undefined;
		try {
			const answer = this.#choose(job.call).run(job.call);
			// When the call turns out to be slow, a quick one that waits may start. Set after the call began, or it rings too soon.
			alarm = setTimeout(() => this.#dispatch(), this.#bounds.slowMs + alarmDelayMs);
			job.resolve(await answer);
		} catch (reason) {
			this.#refuse(job, reason);
		} finally {
			clearTimeout(alarm);
			if (!job.call.signal.aborted) this.#pace.note(job.call.engine.href, performance.now() - started);
			this.#dispatch();
		}
	}

	#refuse(job: Waiting, reason: unknown): void {
		const last = reason === neverBegan ? this.#whyNotAgain(job) : reason;
		if (last !== null) {
			job.reject(last);
			return;
		}
		this.#waiting.unshift(job);
		job.call.signal.addEventListener("abort", job.leave, { once: true });
	}

	#whyNotAgain({ call, tries }: Waiting): unknown {
		if (this.#isClosed) return stopping();
		if (call.signal.aborted) return call.signal.reason;
		return tries < triesMax ? null : fail("PROCESS_UNAVAILABLE", "it ended at once");
	}

	/** An idle child, best one that has the engine, else the one with the fewest others; a new one when none is idle or fit. */
	#choose(call: SandboxCall<unknown>): SandboxChild {
		const idle = [...this.#children].filter(({ isIdle }) => isIdle).sort((a, b) => a.engines.size - b.engines.size);
		const child = idle.find(({ engines }) => engines.has(call.engine.href)) ?? idle[0];
		// A child that is half full at rest would be killed for what others left in it.
		if (child !== undefined && child.restMb <= call.memoryMb / 2) return child;
		child?.kill();
		return this.#start();
	}

	#start(): SandboxChild {
		try {
			const child = new SandboxChild(this.#log, () => this.#rested(child));
			this.#children.add(child);
			void child.exited.then(() => {
				this.#children.delete(child);
				this.#dispatch();
			});
			return child;
		} catch (error) {
			throw fail("PROCESS_UNAVAILABLE", "the system starts no more processes").because(error);
		}
	}

	/** After a call: keeps a child that is fit, for a while or for good. */
	#rested(child: SandboxChild): void {
		const { callsPerChildMax, restMbMax, idleMs, warm } = this.#bounds;
		if (child.calls >= callsPerChildMax || child.restMb > restMbMax) {
			child.kill();
			return;
		}
		const { calls } = child;
		const end = () => {
			const fit = [...this.#children].filter(({ isSpent }) => !isSpent).length;
			if (child.isIdle && child.calls === calls && fit > warm) child.kill();
		};
		setTimeout(end, idleMs).unref();
	}
}

function stopping() {
	return fail("PROCESS_UNAVAILABLE", "the server is stopping");
}

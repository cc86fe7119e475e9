/** The pool of warm child processes behind `Sandbox`: who gets which child, who waits, and when a child is replaced. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
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
	/** When every child has been busy with one call for this long, the fast lane opens, see `SandboxPool`. */
	readonly patienceMs: number;
	/** How long a call may take in the fast lane, the first time. */
	readonly tryMs: number;
}

interface Waiting {
	/** Counts the calls in the order they came. */
	readonly number: number;
	readonly call: SandboxCall<unknown>;
	readonly resolve: (output: unknown) => void;
	readonly reject: (reason: unknown) => void;
	/** Takes it out of the queue when its signal is aborted. */
	readonly leave: () => void;
	/** How many children died before they took it. */
	deaths: number;
	/** How often it was tried in the fast lane. */
	tries: number;
}

/** A call whose child died before taking it is given to another, this many times in all: then the system is at fault. */
const deathsMax = 3;

/**
 * How many times `tryMs` the first try may take, and the second: where cores are short, or an engine was not loaded yet, the
 * first may be too short for anything.
 */
const tryLengths: readonly number[] = [1, 3];

/** Says that a call took longer than a try may. */
const overran = Symbol("overran");

/** Timers may ring a little early. */
const alarmDelayMs = 5;

/**
 * Calls start in the order they came. So that files which take minutes, hostile ones above all, do not hold up the others,
 * there is a fast lane: one child more than `processesMax`, open while the others have been busy for a while. It takes the
 * newest of the calls that it tried least, for a time that is short: a call that needs longer is killed, goes back to its
 * place in the queue and waits for another try or a regular child. Whatever is small is thus read soon, however much hostile
 * stuff came before it, and nothing has to be known of a file or an engine. The newest, because the oldest is next in any
 * case. What it costs is the tries that fail, a few seconds of the lane for each long call. A call that is in the lane when a
 * regular child becomes free goes on in its stead.
 *
 * A call's `memoryMb` counts the whole child, engines included: about 30 MB blank, 120 MB with MuPDF.
 */
export class SandboxPool {
	readonly #bounds: PoolBounds;
	readonly #log: Log;
	/** Calls in the fast lane: one, or none. Those that a regular child became free for meanwhile are in it no longer. */
	readonly #tried = new Set<Waiting>();
	#arrivals = 0;
	/** Every process alive, those being killed too: they hold memory until they are gone. */
	readonly #children = new Set<SandboxChild>();
	readonly #waiting: Waiting[] = [];
	#isClosed = false;

	constructor(bounds: PoolBounds, log: Log) {
		this.#bounds = bounds;
		this.#log = log;
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
			const job: Waiting = { number: this.#arrivals++, call, resolve, reject, leave, deaths: 0, tries: 0 };
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
		if (this.#busy().length <= this.#bounds.processesMax) this.#tried.clear();
		for (let job = this.#next(); job !== undefined; job = this.#next()) void this.#begin(this.#take(job));
	}

	/** Those being killed too: until they are gone they take a core. */
	#busy(): readonly SandboxChild[] {
		return [...this.#children].filter(({ isIdle }) => !isIdle);
	}

	#take(job: Waiting): Waiting {
		this.#waiting.splice(this.#waiting.indexOf(job), 1);
		job.call.signal.removeEventListener("abort", job.leave);
		return job;
	}

	/** The call that may start now. */
	#next(): Waiting | undefined {
		const { processesMax, patienceMs } = this.#bounds;
		const busy = this.#busy();
		if (busy.length < processesMax) return this.#waiting[0];
		const now = performance.now();
		if (busy.length > processesMax || busy.some(({ current }) => current === null || now - current.startedMs < patienceMs)) return undefined;
		const fewest = Math.min(...this.#waiting.map(({ tries }) => tries));
		return fewest < tryLengths.length ? this.#waiting.findLast(({ tries }) => tries === fewest) : undefined;
	}

	async #begin(job: Waiting): Promise<void> {
		const { patienceMs, tryMs, processesMax } = this.#bounds;
		const alarms: Timer[] = [];
		try {
			const isTry = this.#busy().length >= processesMax;
			const child = this.#choose(job.call);
			const answer = child.run(job.call);
			// Set after the call began, or they ring too soon.
			alarms.push(setTimeout(() => this.#dispatch(), patienceMs + alarmDelayMs));
			if (isTry) {
				this.#tried.add(job);
				alarms.push(setTimeout(() => this.#endTry(job, child), tryMs * (tryLengths[job.tries] ?? 1)));
			}
			job.resolve(await answer);
		} catch (reason) {
			this.#refuse(job, reason);
		} finally {
			for (const alarm of alarms) clearTimeout(alarm);
			this.#tried.delete(job);
			this.#dispatch();
		}
	}

	/** Unless a regular child became free meanwhile. */
	#endTry(job: Waiting, child: SandboxChild): void {
		if (!this.#tried.has(job)) return;
		job.tries += 1;
		child.giveUp(overran);
	}

	#refuse(job: Waiting, reason: unknown): void {
		if (reason === neverBegan) job.deaths += 1;
		const last = reason === neverBegan || reason === overran ? this.#whyNotAgain(job, reason) : reason;
		if (last !== null) {
			job.reject(last);
			return;
		}
		const younger = this.#waiting.findIndex(({ number }) => number > job.number);
		this.#waiting.splice(younger < 0 ? this.#waiting.length : younger, 0, job);
		job.call.signal.addEventListener("abort", job.leave, { once: true });
	}

	#whyNotAgain({ call, deaths }: Waiting, reason: typeof neverBegan | typeof overran): unknown {
		if (this.#isClosed) return stopping();
		if (call.signal.aborted) return call.signal.reason;
		return reason === overran || deaths < deathsMax ? null : fail("PROCESS_UNAVAILABLE", "it ended at once");
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

/** The child processes of the sandbox: which one takes a call, when one is started in advance, and when one is ended. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { SandboxChild } from "./sandbox-child.ts";

export interface ChildBounds {
	/** Children that are kept while idle, with their engines loaded. None is started before the first call. */
	readonly warm: number;
	/**
	 * How many idle children are kept besides the busy ones, with the recently used engines loaded, so that a call need not wait for
	 * a new process after a bad file has ended one or keeps one busy. They end when idle.
	 */
	readonly spares: number;
	/** Idle time after which the children beyond `warm` end. */
	readonly idleMs: number;
	/** Calls after which a child is replaced, since engines leak memory. */
	readonly callsPerChildMax: number;
	/** A child that holds more than this after a call is replaced: WebAssembly memory never shrinks. */
	readonly restMbMax: number;
}

/** No child is prepared until calls have been absent for this long, as it takes a core. */
const calmMs = 30;

export class SandboxChildren {
	readonly #bounds: ChildBounds;
	readonly #log: Log;
	/** All live processes, including those being killed, which still hold memory. */
	readonly #all = new Set<SandboxChild>();
	/** Engines that have completed a call, the latest last. Those that failed to preload are removed. */
	readonly #engines = new Set<string>();
	readonly #unprepared = new Set<string>();
	#usedMs = Number.NEGATIVE_INFINITY;
	#calm: Timer | undefined;

	constructor(bounds: ChildBounds, log: Log) {
		this.#bounds = bounds;
		this.#log = log;
	}

	get pids(): readonly number[] {
		return [...this.#all].map(({ pid }) => pid);
	}

	/** The most suitable idle child for this call; a new one when there is none. */
	choose({ engine, memoryMb }: SandboxCall<unknown>): SandboxChild {
		const delays = (child: SandboxChild) => Number(!child.engines.has(engine.href)) + Number(child.isPreparing);
		const idle = this.#fit().filter(({ isIdle }) => isIdle);
		const [child] = idle.sort((a, b) => delays(a) - delays(b) || a.engines.size - b.engines.size);
		this.#waitForCalm();
		// A child that is half full at rest would be killed for what others left in it.
		if (child !== undefined && child.restMb <= memoryMb / 2) return child;
		child?.kill();
		return this.#start();
	}

	/** After a call that was answered. */
	remember(engine: URL): void {
		this.#engines.delete(engine.href);
		this.#engines.add(engine.href);
	}

	/** After a call, however it ended. */
	release(): void {
		this.#usedMs = performance.now();
		this.#waitForCalm();
	}

	async close(reason: unknown): Promise<void> {
		clearTimeout(this.#calm);
		for (const child of this.#all) child.giveUp(reason);
		await Promise.all([...this.#all].map(({ exited }) => exited));
	}

	#fit(): SandboxChild[] {
		return [...this.#all].filter(({ isSpent }) => !isSpent);
	}

	#start(): SandboxChild {
		try {
			const rested = () => this.#rested(child);
			const unprepared = (engine: string) => this.#unprepared.add(engine);
			const child = new SandboxChild(this.#log, { rested, unprepared });
			this.#all.add(child);
			void child.exited.then(() => this.#all.delete(child));
			return child;
		} catch (error) {
			throw fail("PROCESS_UNAVAILABLE", "the system starts no more processes").because(error);
		}
	}

	#waitForCalm(): void {
		clearTimeout(this.#calm);
		this.#calm = setTimeout(() => this.#standBy(), calmMs);
		this.#calm.unref();
	}

	/** Starts missing children, and lets one idle child preload one engine. Then checks again. */
	#standBy(): void {
		const fit = this.#fit();
		const engines = [...this.#engines].filter((engine) => !this.#unprepared.has(engine));
		if (this.#bounds.spares === 0 || engines.length === 0 || fit.some(({ isPreparing }) => isPreparing)) return;
		try {
			if (fit.length < this.#wanted()) fit.push(this.#start());
		} catch {
			return; // the next call will say so
		}
		for (const child of fit.filter(({ isIdle }) => isIdle)) {
			const missing = engines.findLast((engine) => !child.engines.has(engine));
			if (missing === undefined) continue;
			child.prepare(missing);
			return;
		}
	}

	#wanted(): number {
		const { warm, spares, idleMs } = this.#bounds;
		const working = [...this.#all].filter(({ current }) => current !== null).length;
		const isQuiet = working === 0 && performance.now() - this.#usedMs >= idleMs;
		return isQuiet ? warm : Math.max(warm, working) + spares;
	}

	/** After a call or preload: keeps a healthy child, for a while or permanently. */
	#rested(child: SandboxChild): void {
		const { callsPerChildMax, restMbMax } = this.#bounds;
		if (child.calls >= callsPerChildMax || child.restMb > restMbMax) child.kill();
		this.#waitForCalm();
		this.#endWhenIdle(child);
	}

	#endWhenIdle(child: SandboxChild): void {
		const { calls } = child;
		const look = () => {
			if (!child.isIdle || child.calls !== calls) return;
			if (this.#fit().length > this.#wanted()) child.kill();
			else this.#endWhenIdle(child);
		};
		setTimeout(look, this.#bounds.idleMs).unref();
	}
}

/** The child processes of the sandbox: which one takes a call, when one is started in advance, and when one is ended. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { SandboxChild } from "./sandbox-child.ts";

export interface ChildBounds {
	/** Children that are kept while idle, with their engines loaded. None is started before the first call. */
	readonly warm: number;
	/**
	 * How many idle children are kept besides the busy ones, with recently used engines loaded. With them a call need not wait for a
	 * new process if a bad file has crashed a child or keeps it busy. They end after `idleMs`.
	 */
	readonly spares: number;
	/** Idle time after which the children beyond `warm` end. */
	readonly idleMs: number;
	/** Calls after which a child is replaced, since engines leak memory. */
	readonly callsPerChildMax: number;
	/** A child that uses more memory than this after a call is replaced: WebAssembly memory never shrinks. */
	readonly idleMbMax: number;
}

/** Children are only prepared after this long without a call, because preparing one occupies a core. */
const calmMs = 30;

export class SandboxChildren {
	readonly #bounds: ChildBounds;
	readonly #log: Log;
	/** All live processes, including those being killed, which still hold memory. */
	readonly #all = new Set<SandboxChild>();
	/** Engines that have completed a call, the most recent last. */
	readonly #engines = new Set<string>();
	readonly #onPrepareFailed = new Set<string>();
	#usedMs = Number.NEGATIVE_INFINITY;
	#calmTimer: Timer | undefined;

	constructor(bounds: ChildBounds, log: Log) {
		this.#bounds = bounds;
		this.#log = log;
	}

	get pids(): readonly number[] {
		return [...this.#all].map(({ pid }) => pid);
	}

	/** The most suitable idle child for this call; a new one if there is none. */
	choose({ engine, memoryMb }: SandboxCall<unknown>): SandboxChild {
		const startDelay = (child: SandboxChild) => Number(!child.engines.has(engine.href)) + Number(child.isPreparing);
		const idle = this.#usable().filter(({ isIdle }) => isIdle);
		const [child] = idle.sort((a, b) => startDelay(a) - startDelay(b) || a.engines.size - b.engines.size);
		this.#waitForCalm();
		// A child that already uses half of the call's limit could exceed it because of earlier calls.
		if (child !== undefined && child.idleMb <= memoryMb / 2) return child;
		child?.kill();
		return this.#start();
	}

	/** To be called after a call that succeeded. */
	remember(engine: URL): void {
		this.#engines.delete(engine.href);
		this.#engines.add(engine.href);
	}

	/** To be called after every call, also a failed one. */
	release(): void {
		this.#usedMs = performance.now();
		this.#waitForCalm();
	}

	async close(reason: unknown): Promise<void> {
		clearTimeout(this.#calmTimer);
		for (const child of this.#all) child.killAndReject(reason);
		await Promise.all([...this.#all].map(({ exited }) => exited));
	}

	#usable(): SandboxChild[] {
		return [...this.#all].filter(({ isSpent }) => !isSpent);
	}

	#start(): SandboxChild {
		try {
			const onIdle = () => this.#onIdle(child);
			const onPrepareFailed = (engine: string) => this.#onPrepareFailed.add(engine);
			const child = new SandboxChild(this.#log, { onIdle, onPrepareFailed });
			this.#all.add(child);
			void child.exited.then(() => this.#all.delete(child));
			return child;
		} catch (error) {
			throw fail("PROCESS_UNAVAILABLE", "the system cannot start more processes").because(error);
		}
	}

	#waitForCalm(): void {
		clearTimeout(this.#calmTimer);
		this.#calmTimer = setTimeout(() => this.#prepareChildren(), calmMs);
		this.#calmTimer.unref();
	}

	/** Starts missing children, and lets one idle child preload one engine. Then checks again. */
	#prepareChildren(): void {
		const usable = this.#usable();
		const engines = [...this.#engines].filter((engine) => !this.#onPrepareFailed.has(engine));
		if (this.#bounds.spares === 0 || engines.length === 0 || usable.some(({ isPreparing }) => isPreparing)) return;
		try {
			if (usable.length < this.#childrenWanted()) usable.push(this.#start());
		} catch {
			return; // the next call will report the error
		}
		for (const child of usable.filter(({ isIdle }) => isIdle)) {
			const missing = engines.findLast((engine) => !child.engines.has(engine));
			if (missing === undefined) continue;
			child.prepare(missing);
			return;
		}
	}

	#childrenWanted(): number {
		const { warm, spares, idleMs } = this.#bounds;
		const working = [...this.#all].filter(({ current }) => current !== null).length;
		const isQuiet = working === 0 && performance.now() - this.#usedMs >= idleMs;
		return isQuiet ? warm : Math.max(warm, working) + spares;
	}

	/** After a call or preload: keeps a healthy child, for a while or permanently. */
	#onIdle(child: SandboxChild): void {
		const { callsPerChildMax, idleMbMax } = this.#bounds;
		if (child.calls >= callsPerChildMax || child.idleMb > idleMbMax) child.kill();
		this.#waitForCalm();
		this.#endWhenIdle(child);
	}

	#endWhenIdle(child: SandboxChild): void {
		const { calls } = child;
		const endIfStillIdle = () => {
			if (!child.isIdle || child.calls !== calls) return;
			if (this.#usable().length > this.#childrenWanted()) child.kill();
			else this.#endWhenIdle(child);
		};
		setTimeout(endIfStillIdle, this.#bounds.idleMs).unref();
	}
}

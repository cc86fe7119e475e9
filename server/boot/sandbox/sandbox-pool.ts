/** The pool of child processes behind `Sandbox`: schedules which call runs, waits, or is evicted. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { Allowance } from "./allowance.ts";
import { bestOf, type Place, type Waiting, worstOf } from "./fast-lane.ts";
import { niceness } from "./niceness.ts";
import { neverBegan } from "./sandbox-child.ts";
import { type ChildBounds, SandboxChildren } from "./sandbox-children.ts";

export interface PoolBounds extends ChildBounds {
	/** Calls that run at once, one child each, besides the fast lane. One per core, as engines only compute. */
	readonly processesMax: number;
	/** Calls that may wait. Each holds its input in memory. */
	readonly waitingMax: number;
	/** The fast lane opens when every child has been busy with one call for this long, see `SandboxPool`. */
	readonly patienceMs: number;
	/** Calls that have used less than this in the fast lane go before the others. */
	readonly tryMs: number;
	/** Paused calls in the fast lane. Each holds a process and its memory. */
	readonly pausedMax: number;
}

interface Job extends Waiting {
	readonly call: SandboxCall<unknown>;
	readonly resolve: (output: unknown) => void;
	readonly reject: (reason: unknown) => void;
	/** Takes it out of the queue when its signal is aborted. */
	readonly leave: () => void;
	/** How many children died before they took it. */
	deaths: number;
}

/** A call whose child died before taking it is given to another child, up to so many times. */
const deathsMax = 3;

/** After this long a call counts as long: its priority is lowered, and it may be evicted. */
const notSmallMs = 250;

/** A call that was paused for longer than this in all starts anew, since engines that watch the clock keep a minute in reserve. */
const pausedMsMax = 30_000;

/** The budget for work lost by evictions: a fifth of the lane's time, with a maximum for bursts. */
const lost = { share: 0.2, maxMs: 4_000 } as const;
/** The cost of an eviction: the lost work, up to this, and a new child. */
const lostByChildMs = 200;
const lostByLongMs = 1_000;

/** How often to check whether a call may be evicted. */
const roomPollMs = 100;

/** The call was evicted and waits again. */
const madeRoom = Symbol("made room");

/** Timers may fire a little early. */
const alarmDelayMs = 5;

/**
 * Calls start in order: a free regular place goes to the oldest. So that files which take minutes, hostile ones above all, do not
 * block the others, there is a fast lane: one more place, open while the regular ones have been busy for a while. It runs the
 * call that has had the least time in it, the newest first (the oldest is next for a regular place), and pauses the current one
 * for that. So small files are read at once, whatever came before them, without knowing anything about files or engines. When
 * too many calls are paused, the one that had most time is evicted: it goes back into the queue and starts anew later. The work
 * lost by this is limited, see `lost`. Long calls get a lower priority.
 *
 * A call's `memoryMb` is that of the whole child, engines included: about 30 MB empty, 120 MB with MuPDF.
 */
export class SandboxPool {
	readonly #bounds: PoolBounds;
	readonly #children: SandboxChildren;
	/** Times in the lane after which a call is at the next level. */
	readonly #levelsMs: readonly number[];
	readonly #allowance = new Allowance(lost.share, lost.maxMs);
	readonly #places = new Set<Place<Job>>();
	readonly #waiting: Job[] = [];
	#arrivals = 0;
	#alarm: Timer | undefined;
	/** Whether a call waits for an eviction. */
	#isBlocked = false;
	#isClosed = false;

	constructor(bounds: PoolBounds, log: Log) {
		this.#bounds = bounds;
		this.#levelsMs = [bounds.patienceMs, bounds.tryMs, 4 * bounds.tryMs];
		this.#children = new SandboxChildren(bounds, log);
	}

	get pids(): readonly number[] {
		return this.#children.pids;
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
			const job: Job = { number: this.#arrivals++, call, resolve, reject, leave, deaths: 0, level: 0 };
			this.#waiting.push(job);
			call.signal.addEventListener("abort", leave, { once: true });
			this.#dispatch();
		});
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		for (const job of this.#waiting.slice()) this.#take(job).reject(stopping());
		await this.#children.close(stopping());
	}

	#dispatch(): void {
		this.#fillRegularPlaces();
		this.#workInLane();
		for (const { child, isRegular } of this.#places) if (child.workedMs >= notSmallMs) child.stepBack(isRegular ? niceness.leftOver : niceness.patient);
		this.#setAlarm();
	}

	/** A call in the lane that is older than the waiting ones moves to a regular place. */
	#fillRegularPlaces(): void {
		while (this.#regular().length < this.#bounds.processesMax) {
			const [tried] = this.#lane().sort((a, b) => a.job.number - b.job.number);
			const [waiting] = this.#waiting;
			if (tried !== undefined && tried.job.number < (waiting?.number ?? Number.POSITIVE_INFINITY)) {
				tried.isRegular = true;
				tried.child.resume();
			} else if (waiting !== undefined) void this.#begin(waiting, true);
			else return;
		}
	}

	#workInLane(): void {
		for (const { job, child } of this.#lane()) {
			job.level = Math.max(job.level, this.#levelsMs.filter((length) => child.workedMs >= length).length);
			if (child.pausedMs >= pausedMsMax) child.giveUp(madeRoom);
		}
		const lane = this.#lane();
		const best = bestOf(lane, this.#isOpen() ? this.#waiting : []);
		const working = lane.find(({ child }) => !child.isPaused);
		this.#isBlocked = best !== undefined && !("child" in best) && !this.#makeRoom(best, lane);
		if (best === undefined || best === working || this.#isBlocked) return;
		working?.child.pause();
		if ("child" in best) best.child.resume();
		else void this.#begin(best, false);
	}

	/** Keeps one place free for new calls. @returns whether there is room now. */
	#makeRoom({ level }: Job, lane: readonly Place<Job>[]): boolean {
		if (lane.length <= this.#bounds.pausedMax - Number(level > 0)) return true;
		const worst = worstOf(lane.filter(({ child }) => child.workedMs >= notSmallMs));
		if (worst === undefined || worst.job.level <= level) return false;
		const costMs = lostByChildMs + Math.min(lostByLongMs, worst.child.workedMs);
		if (!this.#allowance.spend(costMs, level > 0 ? lost.maxMs / 2 : 0)) return false;
		worst.child.giveUp(madeRoom);
		return true;
	}

	#isOpen(): boolean {
		return this.#regular().every(({ child }) => !child.isSpent && child.workedMs >= this.#bounds.patienceMs);
	}

	/** Includes calls being killed, which still use a core. */
	#regular(): readonly Place<Job>[] {
		return [...this.#places].filter(({ isRegular }) => isRegular);
	}

	#lane(): Place<Job>[] {
		return [...this.#places].filter(({ isRegular, child }) => !isRegular && !child.isSpent);
	}

	/** Sets a timer for the next moment at which a decision may change. */
	#setAlarm(): void {
		clearTimeout(this.#alarm);
		const ages = [...this.#levelsMs, notSmallMs];
		const working = [...this.#places].filter(({ child }) => !child.isSpent && !child.isPaused);
		const waits = working.flatMap(({ child: { workedMs } }) => ages.filter((age) => age > workedMs).map((age) => age - workedMs));
		if (this.#isBlocked) waits.push(roomPollMs);
		if (waits.length > 0) this.#alarm = setTimeout(() => this.#dispatch(), Math.min(...waits) + alarmDelayMs);
	}

	#take(job: Job): Job {
		this.#waiting.splice(this.#waiting.indexOf(job), 1);
		job.call.signal.removeEventListener("abort", job.leave);
		return job;
	}

	async #begin(job: Job, isRegular: boolean): Promise<void> {
		this.#take(job);
		let place: Place<Job> | null = null;
		try {
			const child = this.#children.choose(job.call);
			place = { job, child, isRegular };
			this.#places.add(place);
			const output = await child.run(job.call);
			this.#children.remember(job.call.engine);
			job.resolve(output);
		} catch (reason) {
			this.#refuse(job, reason);
		}
		if (place === null) return;
		if (place.child.isSpent) await place.child.exited;
		this.#places.delete(place);
		this.#children.release();
		this.#dispatch();
	}

	#refuse(job: Job, reason: unknown): void {
		if (reason === neverBegan) job.deaths += 1;
		const last = reason === neverBegan || reason === madeRoom ? this.#whyNotAgain(job, reason) : reason;
		if (last !== null) {
			job.reject(last);
			return;
		}
		const younger = this.#waiting.findIndex(({ number }) => number > job.number);
		this.#waiting.splice(younger < 0 ? this.#waiting.length : younger, 0, job);
		job.call.signal.addEventListener("abort", job.leave, { once: true });
	}

	#whyNotAgain({ call, deaths }: Job, reason: typeof neverBegan | typeof madeRoom): unknown {
		if (this.#isClosed) return stopping();
		if (call.signal.aborted) return call.signal.reason;
		return reason === madeRoom || deaths < deathsMax ? null : fail("PROCESS_UNAVAILABLE", "it ended at once");
	}
}

function stopping() {
	return fail("PROCESS_UNAVAILABLE", "the server is stopping");
}

/** The pool of child processes behind `Sandbox`: schedules which call runs, waits, or is evicted. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { type Assignment, bestCall, callToEvict, type WaitingCall } from "./fast-lane.ts";
import { niceness } from "./niceness.ts";
import { neverStarted } from "./sandbox-child.ts";
import { type ChildBounds, SandboxChildren } from "./sandbox-children.ts";
import { TimeBudget } from "./time-budget.ts";

export interface PoolBounds extends ChildBounds {
	/** Calls that run at the same time, each in its own child, besides the fast lane. One per core, because engines only compute. */
	readonly processesMax: number;
	/** The maximum length of the queue. Each call has its input in memory. */
	readonly waitingMax: number;
	/** The fast lane opens when every child has been busy with one call for this long, see `SandboxPool`. */
	readonly laneOpensAfterMs: number;
	/** Calls that have used less time than this in the fast lane come before the others. */
	readonly shortCallMs: number;
	/** The maximum number of paused calls in the fast lane. Each occupies a process and its memory. */
	readonly pausedMax: number;
}

interface Job extends WaitingCall {
	readonly call: SandboxCall<unknown>;
	readonly resolve: (output: unknown) => void;
	readonly reject: (reason: unknown) => void;
	/** Removes the call from the queue; called when its signal is aborted. */
	readonly cancel: () => void;
	/** How many children have died before starting the call. */
	deaths: number;
}

/** If a child dies before it starts a call, the call is given to another child, up to this many times. */
const deathsMax = 3;

/** A call is long after this time: its priority is lowered, and it may be evicted. */
const longCallMs = 250;

/** A call that was paused for longer than this in total is restarted, because engines that check the time have a reserve of a minute. */
const pausedMsMax = 30_000;

/** The budget for work lost by evictions: a fifth of the time, with a maximum for bursts. */
const lostWork = { share: 0.2, maxMs: 4_000 } as const;
/** The cost of an eviction: the time to start a new child, plus the lost work up to a maximum. */
const lostByChildMs = 200;
const lostByLongMs = 1_000;

/** How often to check whether a call may be evicted. */
const roomPollMs = 100;

/** A call is rejected with this when it was evicted; it then goes back into the queue. */
const evicted = Symbol("made room");

/** Added to timers, because they may fire a little early. */
const alarmDelayMs = 5;

/**
 * Calls start in order of arrival: a free regular slot goes to the oldest. Files that take minutes, above all hostile ones, must not
 * block the others. Therefore there is a fast lane: one additional slot, open while all regular ones have been busy for a while. It
 * runs the call that has had the least time in it, the newest first (the oldest is next for a regular slot), and pauses the current
 * one meanwhile. Therefore small files are read at once, whatever is before them in the queue, although the pool knows nothing about
 * files or engines. If too many calls are paused, the one with most time is evicted: it returns to the queue and is restarted later.
 * The work lost by this is limited, see `lostWork`. Long calls get a lower priority.
 *
 * A call's `memoryMb` is that of the whole child, engines included: about 30 MB empty, 120 MB with MuPDF.
 */
export class SandboxPool {
	readonly #bounds: PoolBounds;
	readonly #children: SandboxChildren;
	/** Times in the lane after which a call gets the next level. */
	readonly #levelsMs: readonly number[];
	readonly #evictionBudget = new TimeBudget(lostWork.share, lostWork.maxMs);
	readonly #assignments = new Set<Assignment<Job>>();
	readonly #queue: Job[] = [];
	#arrivals = 0;
	#timer: Timer | undefined;
	/** Whether a call waits for an eviction. */
	#isBlocked = false;
	#isClosed = false;

	constructor(bounds: PoolBounds, log: Log) {
		this.#bounds = bounds;
		this.#levelsMs = [bounds.laneOpensAfterMs, bounds.shortCallMs, 4 * bounds.shortCallMs];
		this.#children = new SandboxChildren(bounds, log);
	}

	get pids(): readonly number[] {
		return this.#children.pids;
	}

	run(call: SandboxCall<unknown>): Promise<unknown> {
		if (call.signal.aborted) return Promise.reject(call.signal.reason);
		if (this.#isClosed) return Promise.reject(stopping());
		if (this.#queue.length >= this.#bounds.waitingMax) return Promise.reject(fail("PROCESS_UNAVAILABLE", "too many files are waiting"));
		return new Promise((resolve, reject) => {
			const cancel = () => {
				this.#queue.splice(this.#queue.indexOf(job), 1);
				reject(call.signal.reason);
			};
			const job: Job = { number: this.#arrivals++, call, resolve, reject, cancel, deaths: 0, level: 0 };
			this.#queue.push(job);
			call.signal.addEventListener("abort", cancel, { once: true });
			this.#dispatch();
		});
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		for (const job of this.#queue.slice()) this.#dequeue(job).reject(stopping());
		await this.#children.close(stopping());
	}

	#dispatch(): void {
		this.#fillRegularPlaces();
		this.#workInLane();
		for (const { child, isRegular } of this.#assignments)
			if (child.workedMs >= longCallMs) child.lowerPriority(isRegular ? niceness.leftOver : niceness.patient);
		this.#setTimer();
	}

	/** Fills free regular slots with the oldest calls, which may be in the lane or in the queue. */
	#fillRegularPlaces(): void {
		while (this.#regular().length < this.#bounds.processesMax) {
			const [oldestInLane] = this.#lane().sort((a, b) => a.job.number - b.job.number);
			const [waiting] = this.#queue;
			if (oldestInLane !== undefined && oldestInLane.job.number < (waiting?.number ?? Number.POSITIVE_INFINITY)) {
				oldestInLane.isRegular = true;
				oldestInLane.child.resume();
			} else if (waiting !== undefined) void this.#run(waiting, true);
			else return;
		}
	}

	#workInLane(): void {
		for (const { job, child } of this.#lane()) {
			job.level = Math.max(job.level, this.#levelsMs.filter((length) => child.workedMs >= length).length);
			if (child.pausedMs >= pausedMsMax) child.killAndReject(evicted);
		}
		const lane = this.#lane();
		const best = bestCall(lane, this.#isOpen() ? this.#queue : []);
		const working = lane.find(({ child }) => !child.isPaused);
		this.#isBlocked = best !== undefined && !("child" in best) && !this.#makeRoom(best, lane);
		if (best === undefined || best === working || this.#isBlocked) return;
		working?.child.pause();
		if ("child" in best) best.child.resume();
		else void this.#run(best, false);
	}

	/** Evicts a call if the lane is full. One slot is kept free for new calls. @returns whether there is room now */
	#makeRoom({ level }: Job, lane: readonly Assignment<Job>[]): boolean {
		if (lane.length <= this.#bounds.pausedMax - Number(level > 0)) return true;
		const worst = callToEvict(lane.filter(({ child }) => child.workedMs >= longCallMs));
		if (worst === undefined || worst.job.level <= level) return false;
		const costMs = lostByChildMs + Math.min(lostByLongMs, worst.child.workedMs);
		if (!this.#evictionBudget.spend(costMs, level > 0 ? lostWork.maxMs / 2 : 0)) return false;
		worst.child.killAndReject(evicted);
		return true;
	}

	#isOpen(): boolean {
		return this.#regular().every(({ child }) => !child.isSpent && child.workedMs >= this.#bounds.laneOpensAfterMs);
	}

	/** Includes calls whose child is being killed, because it still uses a core. */
	#regular(): readonly Assignment<Job>[] {
		return [...this.#assignments].filter(({ isRegular }) => isRegular);
	}

	#lane(): Assignment<Job>[] {
		return [...this.#assignments].filter(({ isRegular, child }) => !isRegular && !child.isSpent);
	}

	/** Sets a timer for the next time at which the schedule may change. */
	#setTimer(): void {
		clearTimeout(this.#timer);
		const ages = [...this.#levelsMs, longCallMs];
		const working = [...this.#assignments].filter(({ child }) => !child.isSpent && !child.isPaused);
		const delays = working.flatMap(({ child: { workedMs } }) => ages.filter((age) => age > workedMs).map((age) => age - workedMs));
		if (this.#isBlocked) delays.push(roomPollMs);
		if (delays.length > 0) this.#timer = setTimeout(() => this.#dispatch(), Math.min(...delays) + alarmDelayMs);
	}

	#dequeue(job: Job): Job {
		this.#queue.splice(this.#queue.indexOf(job), 1);
		job.call.signal.removeEventListener("abort", job.cancel);
		return job;
	}

	async #run(job: Job, isRegular: boolean): Promise<void> {
		this.#dequeue(job);
		let assignment: Assignment<Job> | null = null;
		try {
			const child = this.#children.choose(job.call);
			assignment = { job, child, isRegular };
			this.#assignments.add(assignment);
			const output = await child.run(job.call);
			this.#children.remember(job.call.engine);
			job.resolve(output);
		} catch (reason) {
			this.#retryOrReject(job, reason);
		}
		if (assignment === null) return;
		if (assignment.child.isSpent) await assignment.child.exited;
		this.#assignments.delete(assignment);
		this.#children.release();
		this.#dispatch();
	}

	#retryOrReject(job: Job, reason: unknown): void {
		if (reason === neverStarted) job.deaths += 1;
		const finalReason = reason === neverStarted || reason === evicted ? this.#reasonNotToRetry(job, reason) : reason;
		if (finalReason !== null) {
			job.reject(finalReason);
			return;
		}
		const laterCall = this.#queue.findIndex(({ number }) => number > job.number);
		this.#queue.splice(laterCall < 0 ? this.#queue.length : laterCall, 0, job);
		job.call.signal.addEventListener("abort", job.cancel, { once: true });
	}

	#reasonNotToRetry({ call, deaths }: Job, reason: typeof neverStarted | typeof evicted): unknown {
		if (this.#isClosed) return stopping();
		if (call.signal.aborted) return call.signal.reason;
		return reason === evicted || deaths < deathsMax ? null : fail("PROCESS_UNAVAILABLE", "it ended immediately after its start");
	}
}

function stopping() {
	return fail("PROCESS_UNAVAILABLE", "the server is stopping");
}

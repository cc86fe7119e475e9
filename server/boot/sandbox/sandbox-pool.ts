/** The pool of warm child processes behind `Sandbox`: which call runs, which one waits, and which one makes room for another. */

import { fail } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { Allowance } from "./allowance.ts";
import { bestOf, type Place, type Waiting, worstOf } from "./fast-lane.ts";
import { niceness } from "./niceness.ts";
import { neverBegan } from "./sandbox-child.ts";
import { type ChildBounds, SandboxChildren } from "./sandbox-children.ts";

export interface PoolBounds extends ChildBounds {
	/** Calls that run at once, one child each, beside the fast lane. One per core is right: engines are pure computation. */
	readonly processesMax: number;
	/** Calls that may wait. Each holds its input in memory. */
	readonly waitingMax: number;
	/** When every child has been busy with one call for this long, the fast lane opens, see `SandboxPool`. */
	readonly patienceMs: number;
	/** A call that has had this long in the fast lane is a long one: those that had less go before it. */
	readonly tryMs: number;
	/** Calls that may stand still in the fast lane. Each holds a process and what memory it has taken. */
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

/** A call whose child died before taking it is given to another, this many times in all: then the system is at fault. */
const deathsMax = 3;

/** After this long a call is no small one, on the busiest of machines: it leaves the cores to others, and may have to make room. */
const notSmallMs = 250;

/** Engines that look at the clock keep a minute in hand: a call that stood still for longer than this in all begins again. */
const pausedMsMax = 30_000;

/** What making room may cost: a fifth of the lane's time, and so much at once that a handful of calls can come together. */
const lost = { share: 0.2, maxMs: 4_000 } as const;
/** What a call that makes room costs: what it did, and a child to start; of a long one no more than this. */
const lostByChildMs = 200;
const lostByLongMs = 1_000;

/** How soon to look again whether a call may make room. */
const roomPollMs = 100;

/** Says that a call made room and waits again. */
const madeRoom = Symbol("made room");

/** Timers may ring a little early. */
const alarmDelayMs = 5;

/**
 * Calls start in the order they came: a regular place that becomes free goes to the oldest. So that files which take minutes,
 * hostile ones above all, do not hold up the others, there is a fast lane: one place more, open while the regular ones have
 * been busy for a while. It works on the call that it has given least time to, the newest first, and pauses for it the one
 * it works on. Whatever is small is thus read at once, however much hostile stuff came before it, and nothing has to be known
 * of a file or an engine. The newest, because the oldest is next in any case. When as many are paused as may be, the one that
 * had most ends, goes back to its place in the queue and begins again later; how much may be lost so is bounded, see `lost`.
 * Whatever takes long leaves the cores to the others.
 *
 * A call's `memoryMb` counts the whole child, engines included: about 30 MB blank, 120 MB with MuPDF.
 */
export class SandboxPool {
	readonly #bounds: PoolBounds;
	readonly #children: SandboxChildren;
	/** Time in the lane at which a call rises to the next level. */
	readonly #levelsMs: readonly number[];
	readonly #allowance = new Allowance(lost.share, lost.maxMs);
	readonly #places = new Set<Place<Job>>();
	readonly #waiting: Job[] = [];
	#arrivals = 0;
	#alarm: Timer | undefined;
	/** Whether a call waits until another may make room for it. */
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

	/** A call in the lane that is older than those waiting goes on in a regular place. */
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

	/** One place is kept for those that come new. @returns whether there is room now. */
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

	/** Those being killed too: until they are gone they take a core. */
	#regular(): readonly Place<Job>[] {
		return [...this.#places].filter(({ isRegular }) => isRegular);
	}

	#lane(): Place<Job>[] {
		return [...this.#places].filter(({ isRegular, child }) => !isRegular && !child.isSpent);
	}

	/** To look again as soon as a call has run for as long as makes a difference. */
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

/** One child process: starts it, gives it one call at a time under limits, and kills it when a limit is crossed. */

import { fileURLToPath } from "node:url";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { measureBytes } from "./measure-bytes.ts";
import type { ChildMessage, ParentMessage } from "./messages.ts";
import { niceness, setNiceness } from "./niceness.ts";
import { residentMb, residentPollMs } from "./resident-memory.ts";
import { outputTooLarge, type Thrown, unpackThrown } from "./thrown.ts";
import { WorkClock } from "./work-clock.ts";

const entry = fileURLToPath(new URL("./child-entry.ts", import.meta.url));

/**
 * `--no-orphans`: the kernel kills the child when its parent is gone, even in a hot loop. The folder is `/` so that no
 * `.env` or `bunfig.toml` of the server is read, and nothing is installed on the fly.
 */
const flags = ["--smol", "--no-orphans", "--no-install", "--no-env-file"];

/** No secrets; the same time zone and locale on every machine; no crash reports; and a single-file executable is to be Bun. */
const environment = { TZ: "UTC", LANG: "C.UTF-8", DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0", BUN_BE_BUN: "1" };

/** How much of a child's stderr is logged. The rest is read and dropped, so that the pipe never fills up. */
const noiseCharactersMax = 2_000;

/** Time limit for preloading an engine: fifty times what the largest needs. */
const prepareMsMax = 5_000;

/** The child ended before it took the call, which may be given to another. */
export const neverBegan = Symbol("never began");

export interface Running {
	readonly number: number;
	readonly call: SandboxCall<unknown>;
	readonly clock: WorkClock;
	readonly resolve: (output: unknown) => void;
	readonly reject: (reason: unknown) => void;
	/** Stops the timers and the abort listener. */
	readonly release: () => void;
	begun: boolean;
}

/** Callbacks to the pool. */
export interface Heed {
	/** A call or a preload has ended, and the child is idle. */
	readonly rested: () => void;
	/** The child ended or hung while it preloaded this engine. */
	readonly unprepared: (engine: string) => void;
}

export class SandboxChild {
	readonly pid: number;
	/** Addresses of the engines it has imported. */
	readonly engines = new Set<string>();
	/** Resolves when the process has ended. */
	readonly exited: Promise<void>;
	calls = 0;
	/** Set when it must not get another call: an engine in it broke, or it was killed. */
	isSpent = false;
	/** Its memory after the last call, in MB. */
	restMb = 0;
	/** The call it works on. */
	current: Running | null = null;
	readonly #log: Log;
	readonly #heed: Heed;
	readonly #process: Bun.Subprocess<"ignore", "ignore", "pipe">;
	#preparing: { readonly engine: string; readonly alarm: Timer } | null = null;
	#niceness: number = niceness.ordinary;
	#noise = "";

	/** @throws whatever the system says when it cannot start one more process. */
	constructor(log: Log, heed: Heed) {
		this.#log = log;
		this.#heed = heed;
		this.#process = Bun.spawn([process.execPath, ...flags, entry], {
			ipc: (message: ChildMessage) => this.#hear(message),
			serialization: "advanced",
			env: environment,
			cwd: "/",
			stdin: "ignore",
			stdout: "ignore",
			stderr: "pipe",
		});
		this.pid = this.#process.pid;
		this.exited = Promise.all([this.#process.exited, this.#drain()]).then(() => this.#end());
	}

	/** Whether it can take a call. A call waits while an engine is being imported. */
	get isIdle(): boolean {
		return this.current === null && !this.isSpent;
	}

	get isPreparing(): boolean {
		return this.#preparing !== null;
	}

	get isPaused(): boolean {
		return this.current?.clock.isPaused ?? false;
	}

	/** How long its engine has worked on its call. */
	get workedMs(): number {
		return this.current?.begun === true ? this.current.clock.workedMs : 0;
	}

	/** How long it has been paused since it took its call. */
	get pausedMs(): number {
		return this.current?.clock.pausedMs ?? 0;
	}

	/** Pauses its call: it uses no CPU, and its time limit does not count. */
	pause(): void {
		if (this.current === null || this.isPaused) return;
		this.current.clock.pause();
		this.#process.kill("SIGSTOP");
	}

	resume(): void {
		if (this.current === null || !this.isPaused) return;
		this.current.clock.resume();
		this.#process.kill("SIGCONT");
	}

	/** Lowers its priority until the call ends. */
	stepBack(level: number): void {
		if (this.#niceness >= level) return;
		this.#niceness = level;
		setNiceness(this.pid, level);
	}

	/** Preloads an engine. */
	prepare(engine: string): void {
		this.#preparing = { engine, alarm: setTimeout(() => this.#process.kill("SIGKILL"), prepareMsMax) };
		this.#send({ kind: "prepare", engine });
	}

	kill(): void {
		this.isSpent = true;
		this.#process.kill("SIGKILL");
	}

	/** Kills the process, as nothing else stops an engine, and rejects its call at once. */
	giveUp(reason: unknown): void {
		this.kill();
		this.#release()?.reject(reason);
	}

	/** Rejects with a `ServiceError`, the signal's reason or `neverBegan`. */
	run(call: SandboxCall<unknown>): Promise<unknown> {
		this.calls += 1;
		return new Promise((resolve, reject) => {
			const abort = () => this.giveUp(call.signal.reason);
			const clock = new WorkClock(call.timeoutMs, () => this.#ring());
			const scales = setInterval(() => void this.#weigh(call.memoryMb), residentPollMs);
			const release = () => {
				clock.stop();
				clearInterval(scales);
				call.signal.removeEventListener("abort", abort);
			};
			this.current = { number: this.calls, call, clock, resolve, reject, release, begun: false };
			call.signal.addEventListener("abort", abort, { once: true });
			const { engine, input, timeoutMs, memoryMb, outputBytesMax } = call;
			this.#send({ kind: "call", call: this.calls, engine: engine.href, input, bounds: { timeoutMs, memoryMb }, outputBytesMax });
		});
	}

	#begin(running: Running): void {
		running.begun = true;
		if (!running.clock.isPaused) running.clock.restart();
	}

	#ring(): void {
		if (this.current?.begun === true) this.giveUp(fail("PROCESS_TIMEOUT", this.current.call.timeoutMs / 1000));
		else this.giveUp(neverBegan);
	}

	/** Ends the call, and resumes the process if it is paused. */
	#release(): Running | null {
		const running = this.current;
		if (!this.isSpent) this.resume();
		this.current = null;
		running?.release();
		return running;
	}

	#send(message: ParentMessage): void {
		try {
			this.#process.send(message);
		} catch (error) {
			// Either the pipe is closed, for the child is ending, or the input cannot be cloned, for the plugin is wrong.
			const isEnding = this.isSpent || this.#process.exitCode !== null || this.#process.signalCode !== null;
			this.giveUp(isEnding ? neverBegan : fail("INTERNAL").because(error));
		}
	}

	#hear(message: ChildMessage): void {
		if (message.kind === "prepared") {
			this.#prepared(message.restMb);
			return;
		}
		const running = this.current;
		if (running === null || message.call !== running.number) return;
		if (message.kind === "begun") this.#begin(running);
		if (message.kind === "progress") running.call.progress?.(message.progress);
		if (message.kind === "thrown") this.#fail(running, message.thrown);
		if (message.kind === "done") this.#finish(running, message.output, message.restMb);
	}

	/**
	 * After a failure the engine's memory is in an unknown state, as WebAssembly is not unwound. Even after a regular error: MuPDF's
	 * stack may have overflowed into its heap, after which it takes good files for damaged. A new process costs at most 0.2 seconds.
	 */
	#fail(running: Running, thrown: Thrown): void {
		this.giveUp(unpackThrown(thrown, running.call));
	}

	#finish(running: Running, output: unknown, restMb: number): void {
		const { call, resolve } = running;
		// The child has measured already; its word is not taken for it.
		if (measureBytes(output, call.outputBytesMax) > call.outputBytesMax) {
			this.giveUp(outputTooLarge(call));
			return;
		}
		this.#rest(running, restMb);
		resolve(output);
	}

	#rest({ call }: Running, restMb: number): void {
		this.restMb = restMb;
		this.engines.add(call.engine.href);
		this.#release();
		// Where it cannot be raised again another takes its place.
		if (this.#niceness > niceness.ordinary && !setNiceness(this.pid, niceness.ordinary)) this.kill();
		this.#niceness = niceness.ordinary;
		this.#heed.rested();
	}

	#prepared(restMb: number): void {
		if (this.#preparing === null) return;
		clearTimeout(this.#preparing.alarm);
		this.engines.add(this.#preparing.engine);
		this.#preparing = null;
		this.restMb = restMb;
		this.#heed.rested();
	}

	async #weigh(memoryMb: number): Promise<void> {
		const weighed = this.current;
		const heldMb = await residentMb(this.pid);
		if (heldMb !== null && heldMb > memoryMb && weighed !== null && weighed === this.current) this.giveUp(fail("PROCESS_MEMORY", memoryMb));
	}

	#end(): void {
		if (this.#preparing !== null) {
			clearTimeout(this.#preparing.alarm);
			if (!this.isSpent) this.#heed.unprepared(this.#preparing.engine);
			this.#preparing = null;
		}
		this.isSpent = true;
		const how = String(this.#process.signalCode ?? `exit code ${this.#process.exitCode}`);
		const running = this.#release();
		running?.reject(running.begun ? this.#crash(how, running.call) : neverBegan);
		if (this.#noise !== "") this.#log("debug", "an engine wrote to stderr", { pid: this.pid, text: this.#noise });
	}

	#crash(how: string, call: SandboxCall<unknown>): ServiceError {
		this.#log("warn", "an engine ended its process", { pid: this.pid, engine: call.engine.pathname.split("/").at(-1), how });
		return fail("PROCESS_CRASHED").because(`ended by ${how}; ${this.#noise}`);
	}

	async #drain(): Promise<void> {
		const decoder = new TextDecoder();
		for await (const bytes of this.#process.stderr) {
			if (this.#noise.length < noiseCharactersMax) this.#noise = (this.#noise + decoder.decode(bytes)).slice(0, noiseCharactersMax);
		}
	}
}

/** One child process: starts it, gives it one call at a time under limits, and kills it when a limit is crossed. */

import { fileURLToPath } from "node:url";
import { fail, type ServiceError } from "../../../core/errors/fail.ts";
import type { SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { measureBytes } from "./measure-bytes.ts";
import { type ChildMessage, callMark, type ParentMessage } from "./messages.ts";
import { niceness, setNiceness } from "./niceness.ts";
import { residentMb, residentPollMs } from "./resident-memory.ts";
import { outputTooLarge, type Thrown, unpackThrown } from "./thrown.ts";
import { WorkClock } from "./work-clock.ts";

const entry = fileURLToPath(new URL("./child-entry.ts", import.meta.url));

/**
 * `--no-orphans`: the kernel kills the child when its parent ends, even in a busy loop. `--no-install`: imports never install
 * packages. The child runs in `/`, so that it reads no `.env` or `bunfig.toml` of the server.
 */
const flags = ["--smol", "--no-orphans", "--no-install", "--no-env-file"];

/** The child's environment variables: no secrets, a fixed time zone and locale, no crash reports. BUN_BE_BUN makes a single-file executable act as Bun. */
const environment = { TZ: "UTC", LANG: "C.UTF-8", DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0", BUN_BE_BUN: "1" };

/** How much of a call's stderr is logged. The rest is read and dropped, so that the pipe never fills up. */
const stderrCharactersMax = 2_000;

/**
 * Time limit until a call begins, unless its own is longer. Starting a process is not its work: on a busy machine a call with a short limit
 * would be given up before it had begun.
 */
const startMsMax = 30_000;

/** Time limit for preloading an engine: three hundred times what the largest needs, since a busy machine may give a process no time for seconds. */
const prepareMsMax = 30_000;

/** A call is rejected with this if the child ended before starting it. The call may then be given to another child. */
export const neverStarted = Symbol("never began");

export interface RunningCall {
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
export interface ChildCallbacks {
	/** A call or a preload has ended. */
	readonly onIdle: () => void;
	/** The child ended or hung while it preloaded this engine. */
	readonly onPrepareFailed: (engine: string) => void;
}

export class SandboxChild {
	readonly pid: number;
	/** The URLs of the engines that the child has imported. */
	readonly engines = new Set<string>();
	/** Resolves when the process has ended. */
	readonly exited: Promise<void>;
	calls = 0;
	/** Whether the child must not get another call, because an engine has failed in it or it was killed. */
	isSpent = false;
	/** The child's memory after its last call, in MB. */
	idleMb = 0;
	/** The current call. */
	current: RunningCall | null = null;
	readonly #log: Log;
	readonly #callbacks: ChildCallbacks;
	readonly #process: Bun.Subprocess<"ignore", "ignore", "pipe">;
	#preparing: { readonly engine: string; readonly timer: Timer } | null = null;
	#niceness: number = niceness.ordinary;
	/** What was written since the last call began. */
	#stderr = "";
	/** How many calls were sent whose mark has not been read. */
	#marksDue = 0;

	/** @throws the system's error if it cannot start another process */
	constructor(log: Log, callbacks: ChildCallbacks) {
		this.#log = log;
		this.#callbacks = callbacks;
		this.#process = Bun.spawn([process.execPath, ...flags, entry], {
			ipc: (message: ChildMessage) => this.#onMessage(message),
			serialization: "advanced",
			env: environment,
			cwd: "/",
			stdin: "ignore",
			stdout: "ignore",
			stderr: "pipe",
		});
		this.pid = this.#process.pid;
		this.exited = Promise.all([this.#process.exited, this.#readStderr()]).then(() => this.#onExit());
	}

	/** Whether the child can take a call. It may be importing an engine; then the call waits for that. */
	get isIdle(): boolean {
		return this.current === null && !this.isSpent;
	}

	get isPreparing(): boolean {
		return this.#preparing !== null;
	}

	get isPaused(): boolean {
		return this.current?.clock.isPaused ?? false;
	}

	/** How long the engine has worked on the current call. */
	get workedMs(): number {
		return this.current?.begun === true ? this.current.clock.workedMs : 0;
	}

	/** How long the child has been paused during the current call. */
	get pausedMs(): number {
		return this.current?.clock.pausedMs ?? 0;
	}

	/** Pauses the current call: it uses no CPU, and the pause does not count for its time limit. */
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

	/** Lowers the CPU priority of the child until the call ends. */
	lowerPriority(level: number): void {
		if (this.#niceness >= level) return;
		this.#niceness = level;
		setNiceness(this.pid, level);
	}

	/** Preloads an engine. */
	prepare(engine: string): void {
		this.#preparing = { engine, timer: setTimeout(() => this.#process.kill("SIGKILL"), prepareMsMax) };
		this.#send({ kind: "prepare", engine });
	}

	kill(): void {
		this.isSpent = true;
		this.#process.kill("SIGKILL");
	}

	/** Kills the process, because nothing else stops an engine, and rejects its call at once. */
	killAndReject(reason: unknown): void {
		this.kill();
		this.#endCall()?.reject(reason);
	}

	/** Rejects with a `ServiceError`, the signal's reason or `neverStarted`. */
	run(call: SandboxCall<unknown>): Promise<unknown> {
		this.calls += 1;
		return new Promise((resolve, reject) => {
			const abort = () => this.killAndReject(call.signal.reason);
			const clock = new WorkClock(Math.max(call.timeoutMs, startMsMax), () => this.#onTimeout());
			const memoryTimer = setInterval(() => void this.#checkMemory(call.memoryMb), residentPollMs);
			const release = () => {
				clock.stop();
				clearInterval(memoryTimer);
				call.signal.removeEventListener("abort", abort);
			};
			this.current = { number: this.calls, call, clock, resolve, reject, release, begun: false };
			call.signal.addEventListener("abort", abort, { once: true });
			const { engine, input, timeoutMs, memoryMb, outputBytesMax } = call;
			this.#marksDue += 1;
			this.#send({ kind: "call", call: this.calls, engine: engine.href, input, bounds: { timeoutMs, memoryMb }, outputBytesMax });
		});
	}

	/** Once: a process that says it again gets no more time. */
	#onBegun(running: RunningCall): void {
		if (running.begun) return;
		running.begun = true;
		running.clock.restart(running.call.timeoutMs);
	}

	#onTimeout(): void {
		if (this.current?.begun === true) this.killAndReject(fail("PROCESS_TIMEOUT", this.current.call.timeoutMs / 1000));
		else this.killAndReject(neverStarted);
	}

	/** Ends the call, and resumes the process if it is paused. */
	#endCall(): RunningCall | null {
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
			// Either the child is ending, so that the pipe is closed, or the input cannot be cloned, which is a bug of the plugin.
			const isEnding = this.isSpent || this.#process.exitCode !== null || this.#process.signalCode !== null;
			this.killAndReject(isEnding ? neverStarted : fail("INTERNAL").because(error));
		}
	}

	#onMessage(message: ChildMessage): void {
		if (message.kind === "prepared") {
			this.#onPrepared(message.idleMb);
			return;
		}
		const running = this.current;
		if (running === null || message.call !== running.number) return;
		if (message.kind === "begun") this.#onBegun(running);
		if (message.kind === "progress") running.call.progress?.(message.progress);
		if (message.kind === "thrown") this.#onThrown(running, message.thrown);
		if (message.kind === "done") this.#onDone(running, message.output, message.idleMb);
	}

	/**
	 * After an error the child is replaced, because the engine's memory is in an unknown state: WebAssembly is not unwound. Even after
	 * an expected error, MuPDF's stack may have overflowed into its heap, and it would then report good files as damaged. A new
	 * process costs at most 0.2 seconds.
	 */
	#onThrown(running: RunningCall, thrown: Thrown): void {
		this.killAndReject(unpackThrown(thrown, running.call));
	}

	#onDone(running: RunningCall, output: unknown, idleMb: number): void {
		const { call, resolve } = running;
		// The child has measured the output too, but it is not trusted.
		if (measureBytes(output, call.outputBytesMax) > call.outputBytesMax) {
			this.killAndReject(outputTooLarge(call));
			return;
		}
		this.#becomeIdle(running, idleMb);
		resolve(output);
	}

	#becomeIdle({ call }: RunningCall, idleMb: number): void {
		this.idleMb = idleMb;
		this.engines.add(call.engine.href);
		this.#endCall();
		// If the priority cannot be raised again, the child is replaced.
		if (this.#niceness > niceness.ordinary && !setNiceness(this.pid, niceness.ordinary)) this.kill();
		this.#niceness = niceness.ordinary;
		this.#callbacks.onIdle();
	}

	#onPrepared(idleMb: number): void {
		if (this.#preparing === null) return;
		clearTimeout(this.#preparing.timer);
		this.engines.add(this.#preparing.engine);
		this.#preparing = null;
		this.idleMb = idleMb;
		this.#callbacks.onIdle();
	}

	async #checkMemory(memoryMb: number): Promise<void> {
		const measured = this.current;
		const usedMb = await residentMb(this.pid);
		if (usedMb !== null && usedMb > memoryMb && measured !== null && measured === this.current) this.killAndReject(fail("PROCESS_MEMORY", memoryMb));
	}

	#onExit(): void {
		if (this.#preparing !== null) {
			clearTimeout(this.#preparing.timer);
			if (!this.isSpent) this.#callbacks.onPrepareFailed(this.#preparing.engine);
			this.#preparing = null;
		}
		this.isSpent = true;
		const exitReason = String(this.#process.signalCode ?? `exit code ${this.#process.exitCode}`);
		const running = this.#endCall();
		running?.reject(running.begun ? this.#crash(exitReason, running.call) : neverStarted);
		this.#logStderr();
	}

	#logStderr(): void {
		if (this.#stderr !== "") this.#log("debug", "an engine wrote to stderr", { pid: this.pid, text: this.#stderr });
		this.#stderr = "";
	}

	#crash(exitReason: string, call: SandboxCall<unknown>): ServiceError {
		this.#log("warn", "an engine ended its process", { pid: this.pid, engine: call.engine.pathname.split("/").at(-1), how: exitReason });
		return fail("PROCESS_CRASHED").because(`ended by ${exitReason}; ${this.#stderr}`);
	}

	#keepStderr(text: string): void {
		this.#stderr = (this.#stderr + text).slice(0, stderrCharactersMax);
	}

	/** One for each call: with a mark of its own for every line an engine would fill the log without end. */
	#onMark(): void {
		if (this.#marksDue === 0) return;
		this.#marksDue -= 1;
		this.#logStderr();
	}

	async #readStderr(): Promise<void> {
		const decoder = new TextDecoder();
		for await (const bytes of this.#process.stderr) {
			const [rest = "", ...ofLaterCalls] = decoder.decode(bytes, { stream: true }).split(callMark);
			this.#keepStderr(rest);
			for (const text of ofLaterCalls) {
				this.#onMark();
				this.#keepStderr(text);
			}
		}
	}
}

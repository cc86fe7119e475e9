/** `createOwnProcess`: a long-lived child process whose engine keeps its state, and which is replaced when it ends. */

import { fail } from "../../../core/errors/fail.ts";
import type { OwnProcess, OwnProcessBounds, SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { neverBegan, SandboxChild } from "./sandbox-child.ts";

export interface ManagedProcess extends OwnProcess {
	/** The current child's pid; null when there is none. For tests. */
	readonly pid: () => number | null;
}

/** A call whose child ended before taking it is given to another child, up to so many times. */
const startsMax = 3;
/** The child's work is not stopped from outside, see `OwnProcess`; its own limits stop it. */
const neverAborted = new AbortController().signal;

export function createOwnProcess({ idleMs }: OwnProcessBounds, log: Log): ManagedProcess {
	let child: SandboxChild | null = null;
	let idle: Timer | undefined;
	let isClosed = false;
	let turn: Promise<unknown> = Promise.resolve();

	function fit(): SandboxChild {
		if (child?.isIdle !== true) child = start();
		return child;
	}

	function start(): SandboxChild {
		try {
			return new SandboxChild(log, { rested: () => undefined, unprepared: () => undefined });
		} catch (error) {
			throw fail("PROCESS_UNAVAILABLE", "the system starts no more processes").because(error);
		}
	}

	async function take(call: SandboxCall<unknown>): Promise<unknown> {
		clearTimeout(idle);
		try {
			for (let starts = 1; ; starts++) {
				call.signal.throwIfAborted();
				if (isClosed) throw stopping();
				try {
					return await fit().run({ ...call, signal: neverAborted });
				} catch (reason) {
					if (reason !== neverBegan) throw reason;
					if (starts === startsMax) throw fail("PROCESS_UNAVAILABLE", "it ended at once");
				}
			}
		} finally {
			idle = setTimeout(() => child?.kill(), idleMs);
			idle.unref();
		}
	}

	return {
		run: <Input, Output>(call: SandboxCall<Input>) => {
			const taken = turn.then(() => take(call)) as Promise<Output>;
			turn = taken.catch(() => undefined);
			return untilAborted(taken, call.signal);
		},
		close: async () => {
			isClosed = true;
			clearTimeout(idle);
			child?.giveUp(stopping());
			await child?.exited;
		},
		pid: () => (child === null || child.isSpent ? null : child.pid),
	};
}

function stopping() {
	return fail("PROCESS_UNAVAILABLE", "the server is stopping");
}

/** The promise settles later by itself; its result is ignored. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const stop = () => reject(signal.reason);
	if (signal.aborted) stop();
	signal.addEventListener("abort", stop, { once: true });
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}

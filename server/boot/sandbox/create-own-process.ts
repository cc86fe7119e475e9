/** `createOwnProcess`: a long-lived child process whose engine keeps its state, and which is replaced when it ends. */

import { fail } from "../../../core/errors/fail.ts";
import type { OwnProcess, OwnProcessBounds, SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { neverStarted, SandboxChild } from "./sandbox-child.ts";

export interface ManagedProcess extends OwnProcess {
	/** The current child's pid; null when there is none. For tests. */
	readonly pid: () => number | null;
}

/** If a child ends before it starts a call, the call is given to another child, up to this many times. */
const startsMax = 3;
/** Aborting a call does not stop the child's work, see `OwnProcess`; only its own limits do. */
const neverAborted = new AbortController().signal;

export function createOwnProcess({ idleMs }: OwnProcessBounds, log: Log): ManagedProcess {
	let child: SandboxChild | null = null;
	let idleTimer: Timer | undefined;
	let isClosed = false;
	let lastCall: Promise<unknown> = Promise.resolve();

	function usableChild(): SandboxChild {
		if (child?.isIdle !== true) child = start();
		return child;
	}

	function start(): SandboxChild {
		try {
			return new SandboxChild(log, { onIdle: () => undefined, onPrepareFailed: () => undefined });
		} catch (error) {
			throw fail("PROCESS_UNAVAILABLE", "the system cannot start more processes").because(error);
		}
	}

	async function runNow(call: SandboxCall<unknown>): Promise<unknown> {
		clearTimeout(idleTimer);
		try {
			for (let starts = 1; ; starts++) {
				call.signal.throwIfAborted();
				if (isClosed) throw stopping();
				try {
					return await usableChild().run({ ...call, signal: neverAborted });
				} catch (reason) {
					if (reason !== neverStarted) throw reason;
					if (starts === startsMax) throw fail("PROCESS_UNAVAILABLE", "it ended immediately after its start");
				}
			}
		} finally {
			idleTimer = setTimeout(() => child?.kill(), idleMs);
			idleTimer.unref();
		}
	}

	return {
		run: <Input, Output>(call: SandboxCall<Input>) => {
			const result = lastCall.then(() => runNow(call)) as Promise<Output>;
			lastCall = result.catch(() => undefined);
			return untilAborted(result, call.signal);
		},
		close: async () => {
			isClosed = true;
			clearTimeout(idleTimer);
			child?.killAndReject(stopping());
			await child?.exited;
		},
		pid: () => (child === null || child.isSpent ? null : child.pid),
	};
}

function stopping() {
	return fail("PROCESS_UNAVAILABLE", "the server is stopping");
}

/** Rejects at once when the signal is aborted; the result of the promise is then ignored. */
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

/** `createSandbox`: the sandbox that plugins get, and the default size of its pool. */

import { limits } from "../../../core/model/limits.ts";
import type { Sandbox, SandboxCall } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { type PoolBounds, SandboxPool } from "./sandbox-pool.ts";

export interface ManagedSandbox extends Sandbox {
	/** Kills every child and fails every call with `PROCESS_UNAVAILABLE`. */
	readonly close: () => Promise<void>;
	/** The process ids of all live children, for tests. */
	readonly pids: () => readonly number[];
}

export interface SandboxOptions extends Partial<PoolBounds> {
	readonly log: Log;
	/** Upper bounds for the limits that plugins request. */
	readonly timeoutMsMax?: number;
	readonly memoryMbMax?: number;
}

const defaults: PoolBounds = {
	processesMax: 2,
	warm: 1,
	spares: 1,
	idleMs: 60_000,
	callsPerChildMax: 200,
	idleMbMax: 240,
	waitingMax: 1_000,
	laneOpensAfterMs: 50,
	shortCallMs: 4_000,
	pausedMax: 2,
};

export function createSandbox({
	log,
	timeoutMsMax = limits.extractTimeoutMs,
	memoryMbMax = limits.extractMemoryMb,
	...bounds
}: SandboxOptions): ManagedSandbox {
	const pool = new SandboxPool({ ...defaults, ...bounds }, log);
	const withinLimits = <Input>(call: SandboxCall<Input>): SandboxCall<Input> => ({
		...call,
		timeoutMs: Math.min(call.timeoutMs, timeoutMsMax),
		memoryMb: Math.min(call.memoryMb, memoryMbMax),
	});
	return {
		// The output type is declared by the engine; over the pipe it is unknown.
		run: <Input, Output>(call: SandboxCall<Input>) => pool.run(withinLimits(call)) as Promise<Output>,
		close: () => pool.close(),
		pids: () => pool.pids,
	};
}

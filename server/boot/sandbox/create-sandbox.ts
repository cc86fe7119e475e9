/** `createSandbox`: the sandbox the server hands to plugins, and what its pool holds unless told otherwise. */

import type { Sandbox } from "../../../core/plugin/host.ts";
import type { Log } from "../../../core/ports/world.ts";
import { type PoolBounds, SandboxPool } from "./sandbox-pool.ts";

export interface ManagedSandbox extends Sandbox {
	/** Kills every child and fails every call with `PROCESS_UNAVAILABLE`. */
	readonly close: () => Promise<void>;
	/** The children alive, for tests and the doctor. */
	readonly pids: () => readonly number[];
}

const defaults: PoolBounds = { processesMax: 2, warm: 1, idleMs: 60_000, callsPerChildMax: 200, restMbMax: 300, waitingMax: 1_000, slowMs: 2_000 };

export function createSandbox({ log, ...bounds }: Partial<PoolBounds> & { readonly log: Log }): ManagedSandbox {
	const pool = new SandboxPool({ ...defaults, ...bounds }, log);
	return {
		// The engine's author says what comes back; over the pipe it is unknown.
		run: <Input, Output>(call: Parameters<Sandbox["run"]>[0] & { readonly input: Input }) => pool.run(call) as Promise<Output>,
		close: () => pool.close(),
		pids: () => pool.pids,
	};
}

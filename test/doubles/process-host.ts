/** A host with real child processes, for plugins that keep one of their own. */

import type { Host } from "cairn-memory";
import { createOwnProcess, type ManagedProcess } from "../../server/boot/sandbox/create-own-process.ts";
import { createWorld } from "../../server/boot/world.ts";
import { quietHost } from "../contract/quiet-host.ts";

export interface ProcessHost extends Host {
	/** Those that were handed out, in their order. */
	readonly processes: readonly ManagedProcess[];
	readonly lines: readonly { readonly message: string; readonly facts: unknown }[];
}

export function createProcessHost(folder: string): ProcessHost {
	const processes: ManagedProcess[] = [];
	const lines: { message: string; facts: unknown }[] = [];
	const log: Host["log"] = (_level, message, facts) => void lines.push({ message, facts });
	return {
		...quietHost(folder),
		world: createWorld({ log }),
		log,
		ownProcess: (bounds) => {
			const process = createOwnProcess(bounds, log);
			processes.push(process);
			return process;
		},
		processes,
		lines,
	};
}

/** A host without an outside: no network, no sandbox, a clock that stands. For the contract tests of plugins that only compute. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, type Host, type Step, type World } from "cairn-memory";

const noon = new Date("2026-01-01T12:00:00Z");

const world: World = {
	now: () => noon,
	steadyNow: () => noon,
	elapsedMs: () => performance.now(),
	sleep: async () => undefined,
	randomBytes: (byteLength) => Uint8Array.from({ length: byteLength }, (_, i) => (i * 37) % 256),
	random: () => 0.5,
	log: () => undefined,
};

/** @param folder a name only for plugins that keep nothing; what one writes there lies among the temporary files */
export function quietHost(folder = join(tmpdir(), `cairn-contract-${process.pid}`)): Host {
	return {
		log: () => undefined,
		world,
		folder,
		fetch: async (address) => {
			throw fail("ADDRESS_BLOCKED", address, "the laws run without a network");
		},
		connect: async ({ hostname }) => {
			throw fail("ADDRESS_BLOCKED", hostname, "the laws run without a network");
		},
		sandbox: { run: noProcess },
		ownProcess: () => ({ run: noProcess, close: async () => undefined }),
		inherited: null,
	};
}

async function noProcess(): Promise<never> {
	throw fail("PROCESS_CRASHED");
}

/** A step that nobody stops and nobody watches. */
export function quietStep(): Step {
	return { signal: new AbortController().signal, log: () => undefined, warn: () => undefined, progress: () => undefined };
}

/** A world whose clock moves only when told, whose chance repeats, and whose log is kept. */

import type { World } from "cairn-memory";
import type { LogLevel } from "cairn-memory/stores";

export interface TestWorld extends World {
	/** Moves both clocks and wakes who slept until then. */
	readonly advance: (ms: number) => void;
	/** Sets the wall clock forward, or back by a negative number. Nobody is woken. */
	readonly setClock: (byMs: number) => void;
	readonly lines: readonly { readonly level: LogLevel; readonly message: string; readonly facts: unknown }[];
}

interface Sleeper {
	readonly at: number;
	readonly wake: () => void;
}

export function createTestWorld(start = Date.parse("2026-01-01T00:00:00Z")): TestWorld {
	let passed = 0;
	let setMs = 0;
	let seed = 1;
	let sleepers: Sleeper[] = [];
	const lines: { level: LogLevel; message: string; facts: unknown }[] = [];
	const random = () => {
		// Multiplied as whole numbers of 32 bits: rounded, the series would soon come round, and with it every id.
		seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
		return seed / 0x80000000;
	};
	return {
		now: () => new Date(start + passed + setMs),
		steadyNow: () => new Date(start + passed),
		elapsedMs: () => passed,
		sleep: (ms, signal) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			if (signal.aborted) resolve();
			signal.addEventListener("abort", () => resolve(), { once: true });
			sleepers.push({ at: passed + ms, wake: resolve });
			return promise;
		},
		randomBytes: (byteLength) => Uint8Array.from({ length: byteLength }, () => Math.floor(random() * 256)),
		random,
		log: (level, message, facts) => void lines.push({ level, message, facts }),
		advance: (ms) => {
			passed += ms;
			for (const { at, wake } of sleepers) if (at <= passed) wake();
			sleepers = sleepers.filter(({ at }) => at > passed);
		},
		setClock: (byMs) => {
			setMs += byMs;
		},
		lines,
	};
}

/** Lets everything that is ready run. */
export async function settle(turns = 20): Promise<void> {
	for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** This machine's clock run faster: what waits for minutes waits for a moment, in the same order. */

import type { World } from "cairn-memory";
import type { LogLevel } from "cairn-memory/stores";

export interface FastWorld extends Pick<World, "now" | "steadyNow" | "elapsedMs" | "sleep" | "random" | "log"> {
	readonly lines: readonly { readonly level: LogLevel; readonly message: string; readonly facts: unknown }[];
}

/** @param factor how many times faster. Leases and polls run faster as well. */
export function createFastWorld(factor: number): FastWorld {
	const began = performance.now();
	const start = Date.now();
	const elapsedMs = () => (performance.now() - began) * factor;
	const lines: { level: LogLevel; message: string; facts: unknown }[] = [];
	return {
		elapsedMs,
		now: () => new Date(start + elapsedMs()),
		steadyNow: () => new Date(start + elapsedMs()),
		sleep: async (ms, signal) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			if (signal.aborted) return;
			const timer = setTimeout(resolve, ms / factor);
			signal.addEventListener("abort", () => resolve(), { once: true });
			await promise.finally(() => clearTimeout(timer));
		},
		random: () => 0.99,
		log: (level, message, facts) => void lines.push({ level, message, facts }),
		lines,
	};
}

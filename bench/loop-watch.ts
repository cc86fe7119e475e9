/**
 * Preloaded into the server under test: notes how long its event loop was away, and how much of that time its own thread
 * was computing. On two cores that clients, threads and server share, only the latter says what the server's code does;
 * the rest is waiting for a core. Asked and answered over the process channel, so that HTTP is not disturbed.
 */

import { isMainThread } from "node:worker_threads";

export interface LoopReport {
	/** Longest time between two turns of the loop. */
	readonly awayMs: number;
	/** The 99th of 100 such times. */
	readonly awayP99Ms: number;
	/** Longest time that the thread computed between two turns. */
	readonly computedMs: number;
	/** How often it computed for longer than `stopMs` between two turns. */
	readonly stops: number;
	/** What the thread computed in all since it was last asked. */
	readonly threadCpuMs: number;
	/** What all threads of the process computed. */
	readonly processCpuMs: number;
	/** Memory that the process holds now. */
	readonly residentMb: number;
}

const tickMs = 2;
export const stopMs = 10;

if (isMainThread && process.send !== undefined) watch();

function watch(): void {
	let away: number[] = [];
	let computed = 0;
	let stops = 0;
	let at = performance.now();
	let cpu = threadCpuMs();
	let since = { thread: cpu, all: process.cpuUsage() };
	const tick = () => {
		const now = performance.now();
		const used = threadCpuMs();
		away.push(Math.max(0, now - at - tickMs));
		computed = Math.max(computed, used - cpu);
		if (used - cpu > stopMs) stops += 1;
		at = now;
		cpu = used;
	};
	setInterval(tick, tickMs).unref();
	process.on("message", () => {
		tick();
		const { user, system } = process.cpuUsage(since.all);
		const sorted = Float64Array.from(away).sort();
		const report: LoopReport = {
			awayMs: sorted.at(-1) ?? 0,
			awayP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
			computedMs: computed,
			stops,
			threadCpuMs: cpu - since.thread,
			processCpuMs: (user + system) / 1_000,
			residentMb: process.memoryUsage.rss() / 1_048_576,
		};
		away = [];
		computed = 0;
		stops = 0;
		since = { thread: cpu, all: process.cpuUsage() };
		process.send?.(report);
	});
	process.channel?.unref();
}

function threadCpuMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}

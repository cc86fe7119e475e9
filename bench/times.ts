/** Many durations, and what is usually asked of them. */

export interface Times {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
	readonly max: number;
}

export function timesOf(durations: readonly number[]): Times {
	const sorted = Float64Array.from(durations).sort();
	const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
	return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? Number.NaN };
}

export function median(values: readonly number[]): number {
	return timesOf(values).p50;
}

export function shown(ms: number): string {
	return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

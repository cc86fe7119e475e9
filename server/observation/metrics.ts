/** The metrics of `/metrics`. Counting begins when they are read for the first time; until then it costs nothing. */

import type { Statistics, Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { type LagMeter, startLagMeter } from "./event-loop-lag.ts";
import type { ThreadReport } from "./measurement.ts";
import type { ThreadObserver } from "./observer.ts";
import type { Prometheus } from "./prometheus.ts";

export interface MetricsParts {
	readonly observer: ThreadObserver | null;
	readonly sandboxProcesses: () => number;
	readonly storage: Pick<Storage, "statistics">;
	/** The lag of each listed index by name, in seconds. */
	readonly indexLag: () => Readonly<Record<string, number>>;
	readonly world: Pick<World, "now" | "elapsedMs">;
	/** Absent if jobs run in this thread. */
	readonly workerReport?: () => Promise<ThreadReport | null>;
}

export interface Metrics {
	/** In the text format of Prometheus. */
	readonly text: () => Promise<string>;
}

/** Counting the documents of a large server takes a part of a second, in a thread of the storage; several scrapers share it. */
const statisticsMsMax = 1_000;

export function createMetrics({ observer, sandboxProcesses, storage, indexLag, world, workerReport }: MetricsParts): Metrics {
	let prometheus: Promise<Prometheus> | null = null;
	let statistics: Promise<Statistics> | null = null;
	let countedAt = Number.NEGATIVE_INFINITY;
	let lag: LagMeter | null = null;

	async function begin(): Promise<Prometheus> {
		const made = (await import("./prometheus.ts")).createPrometheus();
		if (observer !== null) observer.measure = made.count;
		return made;
	}

	/** Null if the storage has no statistics. */
	async function currentStatistics(): Promise<Statistics | null> {
		if (storage.statistics === undefined) return null;
		if (world.elapsedMs() - countedAt > statisticsMsMax) {
			countedAt = world.elapsedMs();
			statistics = storage.statistics(world.now());
			statistics.catch(() => {
				countedAt = Number.NEGATIVE_INFINITY;
			});
		}
		return statistics;
	}

	return {
		text: async () => {
			prometheus ??= begin();
			const { count, text } = await prometheus;
			const [counted, worker] = await Promise.all([currentStatistics(), workerReport?.() ?? null]);
			for (const measurement of worker?.measurements ?? []) count(measurement);
			lag ??= startLagMeter();
			const own = { lagSeconds: lag.take(), sandboxProcesses: sandboxProcesses() };
			return text({
				statistics: counted,
				indexLag: indexLag(),
				threads: { server: own, ...(worker !== null && { ingest: worker }) },
			});
		},
	};
}

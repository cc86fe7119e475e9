/** Collects what a thread has measured, until the thread that answers requests asks for it. */

import { startLagMeter } from "./event-loop-lag.ts";
import type { Measurement, ThreadReport } from "./measurement.ts";
import type { ThreadObserver } from "./observer.ts";

/** The most measurements that are kept between two reports; further ones are lost. A thousand documents make about ten thousand. */
const measurementsMax = 100_000;

/** Nothing is measured before the first report, because most servers are never asked. */
export function createThreadReport(observer: ThreadObserver, sandboxProcesses: () => number): () => ThreadReport {
	let measurements: Measurement[] = [];
	let lag: ReturnType<typeof startLagMeter> | null = null;
	return () => {
		lag ??= startLagMeter();
		observer.measure ??= (measurement) => {
			if (measurements.length < measurementsMax) measurements.push(measurement);
		};
		const report = { measurements, lagSeconds: lag.take(), sandboxProcesses: sandboxProcesses() };
		measurements = [];
		return report;
	};
}

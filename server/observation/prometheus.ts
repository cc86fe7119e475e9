/** The metrics in the text format of Prometheus. It is imported when they are first read, because the library takes memory. */

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Statistics } from "../../core/ports/storage.ts";
import type { Measurement, ThreadState } from "./measurement.ts";

/** Seconds, from a search by words alone to a slow request to a language model. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds, from a note to an hour of scans. */
const workBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];

export interface Prometheus {
	readonly count: (measurement: Measurement) => void;
	readonly text: (snapshot: Snapshot) => Promise<string>;
}

export interface Snapshot {
	/** Null if the storage has no statistics. */
	readonly statistics: Statistics | null;
	/** The lag of each listed index by name, in seconds. */
	readonly indexLag: Readonly<Record<string, number>>;
	/** The state of each thread by name. */
	readonly threads: Readonly<Record<string, ThreadState>>;
}

export function createPrometheus(): Prometheus {
	const registry = new Registry();
	const registers = [registry];
	const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => new Counter({ name, help, labelNames, registers });
	const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) => new Gauge({ name, help, labelNames, registers });
	const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[], buckets: number[]) =>
		new Histogram({ name, help, labelNames, buckets, registers });

	const requests = counter("cairn_http_requests_total", "Requests answered", ["route", "method", "status"]);
	const requestSeconds = histogram("cairn_http_request_duration_seconds", "Time until the response begins", ["route", "method"], requestBuckets);
	const failures = counter("cairn_job_failures_total", "Failed attempts at jobs", ["task", "code"]);
	const seconds = {
		stage: histogram("cairn_stage_duration_seconds", "Time of the stages of documents", ["stage", "outcome"], workBuckets),
		embed: histogram("cairn_embed_batch_duration_seconds", "Time of batches of texts at the embedder", ["purpose", "outcome"], workBuckets),
		search: histogram("cairn_search_duration_seconds", "Time of searches", ["kind", "outcome"], requestBuckets),
		leg: histogram("cairn_search_leg_duration_seconds", "Time of the steps of searches", ["leg", "outcome"], requestBuckets),
		job: histogram("cairn_job_duration_seconds", "Time of attempts at jobs", ["task", "outcome"], workBuckets),
	} as const;
	const nameLabels = { stage: "stage", embed: "purpose", search: "kind", leg: "leg", job: "task" } as const;

	const jobs = gauge("cairn_jobs", "Jobs in the queue", ["task", "state"]);
	const oldest = gauge("cairn_job_oldest_age_seconds", "For how long the oldest waiting job is due", ["task"]);
	const documents = gauge("cairn_documents", "Documents", ["status"]);
	const lagOfIndex = gauge("cairn_index_lag_seconds", "For how long a listed index has not had all changes", ["index"]);
	const databaseBytes = gauge("cairn_database_bytes", "Size of the database");
	const blobBytes = gauge("cairn_blob_bytes", "Size of the original files, as of the last sweep");
	const lag = gauge("cairn_event_loop_lag_seconds", "Longest delay of a turn of the event loop since the last scrape", ["thread"]);
	const sandboxes = gauge("cairn_sandbox_processes", "Processes that read untrusted files", ["thread"]);
	const memory = gauge("process_resident_memory_bytes", "Resident memory of the process");
	const cpu = counter("process_cpu_seconds_total", "Processor time of the process", []);
	gauge("process_start_time_seconds", "Start of the process, as a Unix time").set(Date.now() / 1_000 - process.uptime());
	let cpuSeconds = 0;

	function setProcess(): void {
		memory.set(process.memoryUsage.rss());
		const { user, system } = process.cpuUsage();
		cpu.inc(Math.max(0, (user + system) / 1e6 - cpuSeconds));
		cpuSeconds = (user + system) / 1e6;
	}

	function setStatistics(statistics: Statistics): void {
		for (const one of [jobs, oldest, documents]) one.reset();
		for (const { task, waiting, running, oldestDueSeconds } of statistics.jobs) {
			jobs.set({ task, state: "waiting" }, waiting);
			jobs.set({ task, state: "running" }, running);
			oldest.set({ task }, oldestDueSeconds);
		}
		for (const [status, count] of Object.entries(statistics.documents)) documents.set({ status }, count);
		if (statistics.databaseBytes !== null) databaseBytes.set(statistics.databaseBytes);
		if (statistics.blobBytes !== null) blobBytes.set(statistics.blobBytes);
	}

	return {
		count: (measured) => {
			if (measured.kind === "request") {
				const { route, method, status, seconds: took } = measured;
				requests.inc({ route, method, status });
				requestSeconds.observe({ route, method }, took);
			} else if (measured.kind === "failure") failures.inc({ task: measured.task, code: measured.code });
			else {
				const { kind, name, isFailed, seconds: took } = measured;
				const labels = { [nameLabels[kind]]: name, outcome: isFailed ? "failed" : "ok" };
				(seconds[kind] as Histogram).observe(labels, took);
			}
		},
		text: ({ statistics, indexLag, threads }) => {
			setProcess();
			if (statistics !== null) setStatistics(statistics);
			for (const [index, lagSeconds] of Object.entries(indexLag)) lagOfIndex.set({ index }, lagSeconds);
			for (const [thread, { lagSeconds, sandboxProcesses }] of Object.entries(threads)) {
				lag.set({ thread }, lagSeconds);
				sandboxes.set({ thread }, sandboxProcesses);
			}
			return registry.metrics();
		},
	};
}

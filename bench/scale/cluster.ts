/**
 * Workers of a simulated installation: the queue is the product's own statements on a database in memory, and each worker is the product's own
 * worker, with its leases, its pace and its order. Simulated are the time, the processor of each worker, and the steps to the database.
 */

import { asId, type OrganisationId } from "cairn-memory";
import type { Job, JobQueue } from "cairn-memory/stores";
import { asServiceError } from "../../core/errors/fail.ts";
import { work } from "../../core/jobs/worker.ts";
import { newJob } from "../../core/runtime/new-job.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { ramStorage } from "../../plugins/stores/ram/storage.ts";
import { documentsAtOnce } from "../../server/settings/machine.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

export interface ClusterOptions {
	readonly seed: number;
	readonly workers: number;
	/** What the processor of one worker gets done in a second when it does nothing else. */
	readonly chunksPerSecond: number;
}

export interface Cluster {
	readonly time: VirtualTime;
	/** @param tenant any number: each is an organisation */
	readonly add: (tenant: number, chunks: number) => void;
	/** All that were added. */
	readonly documents: readonly SimulatedDocument[];
	/** As `kill -9`: nothing is given back. @returns how many documents it had in hand */
	readonly kill: (worker: number) => number;
	/** As SIGTERM. */
	readonly end: (worker: number) => void;
	/** Documents that are not done. */
	readonly waiting: () => number;
}

export interface SimulatedDocument {
	readonly tenant: number;
	readonly chunks: number;
	readonly addedMs: number;
	/** Null as long as it is not done. */
	doneMs: number | null;
	/** The workers that began it, in order. */
	readonly begunBy: number[];
}

/** A worker has a thread for documents; more cores are for the processes that read files. */
const documentsMax = documentsAtOnce(2, 4 * 1_024 ** 3);
/** The steps of a document to the database and back, in which its worker does something else. */
const stepsMs = 100;
/** The chunks that are embedded at once; then another document has its turn. */
const chunksPerTurn = 32;

export function createCluster({ seed, workers, chunksPerSecond }: ClusterOptions): Cluster {
	const time = createVirtualTime(seed);
	const { world } = time;
	const { jobs } = ramStorage();
	const documents: SimulatedDocument[] = [];
	const nodes = Array.from({ length: workers }, (_, i) => startNode(i));
	let done = 0;

	function startNode(index: number) {
		const notifier = createNotifier();
		const stopping = new AbortController();
		const processor = createProcessor(time);
		const inHand = new Set<Job>();
		let isKilled = false;
		/** Whoever is killed never hears an answer. */
		const whileAlive = <Result>(result: Promise<Result>) => (isKilled ? new Promise<Result>(() => undefined) : result);
		const own: JobQueue = {
			...jobs,
			claim: (...parameters) => whileAlive(isKilled ? Promise.resolve([]) : jobs.claim(...parameters)),
			renew: (...parameters) => whileAlive(isKilled ? Promise.resolve(false) : jobs.renew(...parameters)),
			finish: (...parameters) => whileAlive(isKilled ? Promise.resolve() : jobs.finish(...parameters)),
			retry: (...parameters) => whileAlive(isKilled ? Promise.resolve() : jobs.retry(...parameters)),
		};
		const read = async (job: Job, signal: AbortSignal) => {
			const document = documents[Number(job.subject)] as SimulatedDocument;
			document.begunBy.push(index);
			inHand.add(job);
			try {
				await world.sleep(stepsMs, signal);
				for (let left = document.chunks; left > 0; left -= chunksPerTurn) {
					signal.throwIfAborted();
					await whileAlive(processor((Math.min(left, chunksPerTurn) / chunksPerSecond) * 1_000));
				}
				signal.throwIfAborted();
				await whileAlive(Promise.resolve());
				if (document.doneMs === null) done++;
				document.doneMs ??= world.elapsedMs();
			} finally {
				inHand.delete(job);
			}
		};
		const handlers = {
			ingest: (job: Job) => ({ run: (signal: AbortSignal) => read(job, signal), toServiceError: asServiceError, onFailure: async () => undefined }),
		};
		void work({ name: `worker-${index}`, jobs: own, handlers, world, notifier, concurrentMax: documentsMax }, stopping.signal);
		return {
			notify: notifier.notify,
			end: () => stopping.abort(),
			kill: () => {
				isKilled = true;
				return inHand.size;
			},
		};
	}

	return {
		time,
		documents,
		add: (tenant, chunks) => {
			const organisation = asId<OrganisationId>(String(tenant).padStart(22, "A"));
			const job = newJob("ingest", String(documents.length), organisation, world);
			documents.push({ tenant, chunks, addedMs: world.elapsedMs(), doneMs: null, begunBy: [] });
			void jobs.add(job).then(() => {
				// A new job is announced to all.
				for (const { notify } of nodes) notify();
			});
		},
		kill: (worker) => nodes[worker]?.kill() ?? 0,
		end: (worker) => nodes[worker]?.end(),
		waiting: () => documents.length - done,
	};
}

/** One processor: whoever asks gets it in turn. Resolves when the time was used. */
function createProcessor({ world, at }: VirtualTime): (ms: number) => Promise<void> {
	let freeAtMs = 0;
	return (ms) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		freeAtMs = Math.max(freeAtMs, world.elapsedMs()) + ms;
		at(freeAtMs, resolve);
		return promise;
	};
}

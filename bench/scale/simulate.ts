/**
 * Questions that a queue with several workers raises, answered by a simulation: `bun bench/scale/simulate.ts [--chunks-per-second 100]
 * [--seed 1]`. How long does a small tenant wait behind a large one, how long until the work of a lost worker is done, and how many workers
 * do so many documents an hour need? The same seed gives the same answers. What is simulated and what is the product's: `cluster.ts`.
 */

import { parseArgs } from "node:util";
import { limits } from "../../core/model/limits.ts";
import { timesOf } from "../times.ts";
import { type Cluster, createCluster, type SimulatedDocument } from "./cluster.ts";

const { values: given } = parseArgs({ options: { "chunks-per-second": { type: "string", default: "100" }, seed: { type: "string", default: "1" } } });
const chunksPerSecond = Number(given["chunks-per-second"]);
const seed = Number(given.seed);
const [secondMs, minuteMs] = [1_000, 60_000];
/** Of a document; a note has one. */
const chunksOnAverage = 10;
const seconds = (ms: number) => (ms / secondMs).toFixed(ms < 10 * secondMs ? 1 : 0);
const percentiles = (documents: readonly SimulatedDocument[]) => timesOf(documents.map(({ addedMs, doneMs }) => (doneMs ?? Number.NaN) - addedMs));

console.log(`One worker embeds ${chunksPerSecond} chunks/s; a document has ${chunksOnAverage} chunks on average, a note one. Seed ${seed}.\n`);
await smallBehindLarge();
await lostWorker();
await workersNeeded();

/** One tenant adds very many documents at once while twenty others add a note a minute: those that are added before its last is done. */
async function smallBehindLarge(): Promise<void> {
	console.log("| workers | one tenant adds at once | until its last is done | notes of 20 others, p50 | p99 |\n|---:|---:|---:|---:|---:|");
	for (const workers of [2, 8])
		for (const flood of [0, 1_000, 10_000]) {
			const cluster = createCluster({ seed, workers, chunksPerSecond });
			for (let i = 0; i < flood; i++) cluster.add(0, sizeOf(cluster));
			for (let tenant = 1; tenant <= 20; tenant++) notesOf(cluster, tenant);
			await untilDone(cluster, 5 * minuteMs);
			const { documents } = cluster;
			const last = Math.max(0, ...documents.filter(({ tenant }) => tenant === 0).map(({ doneMs }) => doneMs ?? Number.NaN));
			const { p50, p99 } = percentiles(documents.filter(({ tenant, addedMs }) => tenant !== 0 && (flood === 0 || addedMs < last)));
			console.log(`| ${workers} | ${flood} | ${flood === 0 ? "" : `${seconds(last)} s`} | ${seconds(p50)} s | ${seconds(p99)} s |`);
		}
	console.log();
}

/** Four workers at two thirds of what they can do; after a minute one goes. */
async function lostWorker(): Promise<void> {
	console.log(
		"| what happens to one of four | documents it had in hand | until the last of them is done | all others in the two minutes after, p99 |\n|---|---:|---:|---:|",
	);
	const lossMs = minuteMs;
	for (const how of ["nothing", "it is ended", "it is killed"] as const) {
		const workers = 4;
		const cluster = createCluster({ seed, workers, chunksPerSecond });
		arrivals(cluster, ((2 / 3) * workers * chunksPerSecond) / chunksOnAverage, 4 * minuteMs);
		let held: readonly SimulatedDocument[] = [];
		cluster.time.at(lossMs, () => {
			held = how === "nothing" ? [] : cluster.documents.filter(({ doneMs, begunBy }) => doneMs === null && begunBy.at(-1) === 0);
			if (how === "it is ended") cluster.end(0);
			if (how === "it is killed") cluster.kill(0);
		});
		await untilDone(cluster, 4 * minuteMs);
		const others = cluster.documents.filter((each) => !held.includes(each) && each.addedMs >= lossMs && each.addedMs < lossMs + 2 * minuteMs);
		const last = Math.max(...held.map(({ doneMs }) => (doneMs ?? Number.NaN) - lossMs));
		console.log(`| ${how} | ${held.length} | ${held.length === 0 ? "" : `${seconds(last)} s`} | ${seconds(percentiles(others).p99)} s |`);
	}
	console.log(`\nA lease lasts ${limits.leaseMs / secondMs} s.\n`);
}

/** The fewest workers with which 95 of 100 documents are done within a minute after they were added, at random times of ten minutes. */
async function workersNeeded(): Promise<void> {
	console.log("| documents an hour | chunks/s | workers | p50 | p95 | in use |\n|---:|---:|---:|---:|---:|---:|");
	for (const perHour of [10_000, 30_000, 100_000]) {
		const perSecond = perHour / 3_600;
		const needed = (perSecond * chunksOnAverage) / chunksPerSecond;
		for (let workers = Math.max(1, Math.ceil(needed)); ; workers++) {
			const cluster = createCluster({ seed, workers, chunksPerSecond });
			arrivals(cluster, perSecond, 10 * minuteMs);
			await untilDone(cluster, 10 * minuteMs);
			const times = cluster.documents.map(({ addedMs, doneMs }) => (doneMs ?? Number.NaN) - addedMs).toSorted((a, b) => a - b);
			const [p50 = Number.NaN, p95 = Number.NaN] = [0.5, 0.95].map((share) => times[Math.floor(share * (times.length - 1))]);
			if (p95 > minuteMs) continue;
			const use = `${((needed / workers) * 100).toFixed(0)} %`;
			console.log(`| ${perHour} | ${(perSecond * chunksOnAverage).toFixed(0)} | ${workers} | ${seconds(p50)} s | ${seconds(p95)} s | ${use} |`);
			break;
		}
	}
}

/** Most documents are short and few are long: the sizes of an exponential distribution. */
function sizeOf({ time }: Cluster): number {
	return Math.max(1, Math.round(-Math.log(1 - time.world.random()) * chunksOnAverage));
}

function notesOf(cluster: Cluster, tenant: number): void {
	for (let minute = 0; minute < 5; minute++) cluster.time.at((minute + cluster.time.world.random()) * minuteMs, () => cluster.add(tenant, 1));
}

/** Documents at random times, so many a second on average. */
function arrivals(cluster: Cluster, perSecond: number, forMs: number): void {
	const { time } = cluster;
	const next = (afterMs: number) => {
		const atMs = afterMs - (Math.log(1 - time.world.random()) / perSecond) * secondMs;
		if (atMs > forMs) return;
		time.at(atMs, () => {
			cluster.add(Math.floor(time.world.random() * 100), sizeOf(cluster));
			next(atMs);
		});
	};
	next(0);
}

async function untilDone(cluster: Cluster, atLeastMs: number): Promise<void> {
	for (let untilMs = atLeastMs; ; untilMs += minuteMs) {
		await cluster.time.run(untilMs);
		if (cluster.waiting() === 0) return;
	}
}

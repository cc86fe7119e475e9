/**
 * Mixed work for many minutes, and whether memory, handles, threads or disk grow meanwhile: `bun bench/soak/soak.ts --minutes 60`.
 * Caches fill by work and not by time, so the minutes begin when they are full: after as many rare words and documents as fill the largest,
 * added without a pause. Then a sample is taken every few seconds, the live objects of all threads are counted now and then, and a line is fitted to each series. It
 * ends with 1 if one of them grows. `--every MS` is the pause between two calls, `--keep FILE` keeps the samples.
 */

import { Database } from "bun:sqlite";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startReceiver } from "../../test/doubles/webhook-receiver.ts";
import { post } from "../client.ts";
import { startServer, temporaryFolder } from "../server.ts";
import { askHeaps, heapWatch } from "./ask-heaps.ts";
import { fillCaches } from "./fill-caches.ts";
import { type Resources, resourcesOf } from "./resources.ts";
import { grows, isUnsure, type Point, trendOf } from "./trend.ts";
import { startWork } from "./work.ts";

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "60" },
		every: { type: "string", default: "120" },
		seed: { type: "string", default: "1" },
		warm: { type: "string", default: "1500" },
		keep: { type: "string" },
	},
});
const sampleEveryMs = 5_000;
/** Counting objects collects all garbage, so it is done seldom: the line needs some thirty points. */
const countsWanted = 40;
const minuteMs = 60_000;

/**
 * What may be added in an hour. Memory: the allocator gives back late. Objects: a thousandth of what a warm server has. Disk: logs grow by
 * design, see `logs`; `tablesMb` is what all other tables and indexes take, so that free pages of the database hide nothing.
 */
const allowedPerHour: Readonly<Record<keyof Resources | "heapMb" | "objects" | "tablesMb", number>> = {
	anonymousMb: 20,
	mappedMb: 30,
	heapMb: 5,
	objects: 20_000,
	childrenMb: 20,
	handles: 2,
	threads: 2,
	children: 1,
	diskMb: 30,
	databaseMb: 30,
	tablesMb: 5,
	files: 20,
};
/** Events are kept for a week, about 500 bytes each with their index; of changes the newest 200,000 or 20,000 are kept. */
const logs: ReadonlySet<string> = new Set(["events", "text_changes", "scope_changes", "memory_moves", "memory_returns"]);

type Name = keyof typeof allowedPerHour;

await using temporary = await temporaryFolder();
const folder = join(temporary.path, "data");
const receiver = startReceiver();
const server = await startServer(folder, heapWatch, { CAIRN_FETCH_ALLOW: receiver.host }, undefined, false);
const series = new Map<Name, Point[]>();
try {
	await post(server, "/v3/webhooks", { url: receiver.url });
} catch (thrown) {
	// 201 is the success of this route.
	if (!String(thrown).includes(" 201 ")) throw thrown;
}
const warmedUpAt = performance.now();
await fillCaches(server);
let everyMs = 0;
const work = startWork(server, { everyMs: () => everyMs, seed: Number(values.seed) });
while (work.added() < Number(values.warm)) {
	await Bun.sleep(sampleEveryMs);
	(receiver.received as unknown[]).length = 0;
}
const warmMinutes = (performance.now() - warmedUpAt) / minuteMs;
const warmAdded = work.added();
everyMs = Number(values.every);
const totalMs = Number(values.minutes) * minuteMs;
const began = performance.now();
const types = [await askHeaps(server)];
const before = tablesOf(folder);
for (let counts = 0; performance.now() - began < totalMs; ) {
	await Bun.sleep(sampleEveryMs);
	const ms = performance.now() - began;
	const isDue = ms > (counts * totalMs) / countsWanted;
	const heaps = isDue ? await askHeaps(server) : null;
	if (heaps !== null) counts += 1;
	if (heaps !== null) types.push(heaps);
	const counted = heaps !== null && { heapMb: heaps.heapMb, objects: heaps.objects, tablesMb: tablesMbOf(folder) };
	const sample = { ...resourcesOf(server.pid, folder), ...counted };
	for (const [name, value] of Object.entries(sample) as [Name, number][])
		series.set(name, [...(series.get(name) ?? []), { hours: ms / (60 * minuteMs), value }]);
	if (values.keep !== undefined) appendFileSync(values.keep, `${JSON.stringify({ ms, ...sample, received: receiver.received.length })}\n`);
	// What was received is of no further use, and would make this process grow.
	(receiver.received as unknown[]).length = 0;
}
const wasSteady = work.isSteady();
await work.stop();
await server.stop();
const after = tablesOf(folder);
await receiver.stop();

const shown = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : 0);
console.log(`${values.minutes} minutes, after ${warmAdded} documents in ${shown(warmMinutes)} minutes`);
console.log([...work.counts].map(([name, count]) => `${name} ${count}`).join(", "));
console.log("\n| held | mean | slope per hour | noise (2 standard errors) | scatter | allowed | grows |\n|---|---|---|---|---|---|---|");
for (const [name, allowed] of Object.entries(allowedPerHour) as [Name, number][]) {
	const trend = trendOf(series.get(name) ?? []);
	const isGrowing = grows(trend, allowed);
	if (isGrowing) process.exitCode = 1;
	const verdict = isGrowing ? "**yes**" : isUnsure(trend, allowed) ? "unsure" : "no";
	console.log(
		`| ${name} | ${shown(trend.mean)} | ${shown(trend.perHour)} | ± ${shown(trend.noisePerHour)} | ${shown(trend.scatter)} | ${allowed} | ${verdict} |`,
	);
}
console.log(`\nobjects that became more: ${moreTypes()}`);
console.log(`tables that became larger, with their indexes: ${moreTables()}`);
if (!wasSteady) {
	console.log("\nthe number of documents was not steady at the end: give it more minutes");
	process.exitCode = 1;
}

/** By thread and type, from the first half to the second, so that what comes and goes does not count. */
function moreTypes(): string {
	const half = Math.floor(types.length / 2);
	const mean = (type: string, from: number, to: number) =>
		types.slice(from, to).reduce((sum, { byType }) => sum + (byType[type] ?? 0), 0) / Math.max(1, to - from);
	const more = Object.keys(types.at(-1)?.byType ?? {}).map((type): [string, number] => [type, mean(type, half, types.length) - mean(type, 0, half)]);
	return more
		.filter(([, count]) => count > 100)
		.sort(([, a], [, b]) => b - a)
		.slice(0, 8)
		.map(([type, count]) => `${type} +${Math.round(count)}`)
		.join(", ");
}

/** The bytes of each table with its indexes. */
function tablesOf(data: string): ReadonlyMap<string, number> {
	using database = new Database(join(data, "sqlite/cairn.sqlite"), { readonly: true });
	const sql = "SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name";
	return new Map(
		database
			.query<{ name: string; bytes: number }, []>(sql)
			.all()
			.map(({ name, bytes }) => [name, bytes]),
	);
}

/** Of all tables but the logs, with their indexes, without free pages. */
function tablesMbOf(data: string): number {
	const bytes = [...tablesOf(data)].filter(([name]) => !logs.has(name)).reduce((sum, [, size]) => sum + size, 0);
	return bytes / 2 ** 20;
}

function moreTables(): string {
	return [...after]
		.map(([name, bytes]): [string, number] => [name, (bytes - (before.get(name) ?? 0)) / 2 ** 20])
		.filter(([, megabytes]) => megabytes > 0.1)
		.sort(([, a], [, b]) => b - a)
		.map(([name, megabytes]) => `${name} +${megabytes.toFixed(1)} MB`)
		.join(", ");
}

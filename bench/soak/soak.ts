/**
 * Mixed work for many minutes, and whether memory, handles, threads or disk grow meanwhile: `bun bench/soak/soak.ts --minutes 60`.
 * A sample is taken every few seconds; after a warm-up a line is fitted to each series. It ends with 1 if one of them grows.
 * `--every MS` is the pause between two calls, `--keep FILE` keeps the samples.
 */

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startReceiver } from "../../test/doubles/webhook-receiver.ts";
import { post } from "../client.ts";
import { startServer, temporaryFolder } from "../server.ts";
import { type Resources, resourcesOf } from "./resources.ts";
import { grows, type Point, trendOf } from "./trend.ts";
import { startWork } from "./work.ts";

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "60" },
		every: { type: "string", default: "120" },
		seed: { type: "string", default: "1" },
		keep: { type: "string" },
	},
});
const sampleEveryMs = 5_000;
/** The share of the time after which caches are full and the number of documents is steady. */
const warmUpShare = 1 / 3;
const minuteMs = 60_000;

/**
 * What may be added in an hour. Memory: the collector gives back late. Disk: events are kept for a week by design (about 300 bytes for
 * each, and this work makes some 40,000 in an hour), and so are forgotten memories.
 */
const allowedPerHour = { residentMb: 20, childrenMb: 20, handles: 2, threads: 2, children: 1, diskMb: 30, databaseMb: 30, files: 20 } satisfies Record<
	keyof Resources,
	number
>;

await using temporary = await temporaryFolder();
const folder = join(temporary.path, "data");
const receiver = startReceiver();
const server = await startServer(folder, [], { CAIRN_FETCH_ALLOW: receiver.host }, undefined, false);
const samples: { readonly ms: number; readonly held: Resources }[] = [];
try {
	await post(server, "/v3/webhooks", { url: receiver.url });
} catch (thrown) {
	// 201 is the success of this route.
	if (!String(thrown).includes(" 201 ")) throw thrown;
}
const work = startWork(server, { everyMs: Number(values.every), seed: Number(values.seed) });
const totalMs = Number(values.minutes) * minuteMs;
const began = performance.now();
while (performance.now() - began < totalMs) {
	await Bun.sleep(sampleEveryMs);
	const sample = { ms: performance.now() - began, held: resourcesOf(server.pid, folder) };
	samples.push(sample);
	if (values.keep !== undefined) appendFileSync(values.keep, `${JSON.stringify({ ...sample, received: receiver.received.length })}\n`);
	// What was received is of no further use, and would make this process grow.
	(receiver.received as unknown[]).length = 0;
}
const wasSteady = work.isSteady();
await work.stop();
await server.stop();
await receiver.stop();

const counted = samples.filter(({ ms }) => ms > totalMs * warmUpShare);
const shown = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : 0);
console.log(`${values.minutes} minutes, of which the first ${Math.round(Number(values.minutes) * warmUpShare)} are not counted; ${counted.length} samples`);
console.log([...work.counts].map(([name, count]) => `${name} ${count}`).join(", "));
console.log("\n| held | mean | slope per hour | noise (2 standard errors) | scatter | allowed | grows |\n|---|---|---|---|---|---|---|");
for (const [name, allowed] of Object.entries(allowedPerHour) as [keyof Resources, number][]) {
	const trend = trendOf(counted.map(({ ms, held }): Point => ({ hours: ms / (60 * minuteMs), value: held[name] })));
	const isGrowing = grows(trend, allowed);
	if (isGrowing) process.exitCode = 1;
	console.log(
		`| ${name} | ${shown(trend.mean)} | ${shown(trend.perHour)} | ± ${shown(trend.noisePerHour)} | ${shown(trend.scatter)} | ${allowed} | ${isGrowing ? "**yes**" : "no"} |`,
	);
}
if (!wasSteady) {
	console.log("\nthe number of documents was not steady at the end: give it more minutes");
	process.exitCode = 1;
}

/** How soon `POST` answers while ten thousand documents wait and the pipeline works at full rate. */

import { post, queued, send } from "./client.ts";
import { loopRow, type Measure } from "./measure.ts";
import { createWriter, type Writer } from "./notes.ts";
import { judged, told } from "./row.ts";
import { type Server, startServer, temporaryFolder } from "./server.ts";
import { median, shown, type Times, timesOf } from "./times.ts";

const waiting = 10_000;
const perSecond = 100;
const roundMs = 2_500;
/** Between them the queue is filled up again: the pipeline eats it while we measure. Of their p99 the median counts. */
const rounds = 7;
/** So many more wait at the beginning of a round than must at its end. */
const spare = 3_500;
const p99Max = 20;

export const postLatency: Measure = async () => {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	try {
		const writer = createWriter(2);
		const idle = await paced(server, writer);
		const flooded: number[] = [];
		const busy: Times[] = [];
		let left = Number.POSITIVE_INFINITY;
		for (let round = 0; round < rounds; round++) {
			while ((await queued(server)) < waiting + spare) flooded.push(...(await send(server, take(writer, 500), 16)));
			await server.loop();
			busy.push(timesOf(await paced(server, writer)));
			left = Math.min(left, await queued(server));
		}
		const [alone, flood] = [timesOf(idle), timesOf(flooded)];
		const p50 = median(busy.map((times) => times.p50));
		const p99s = busy.map((times) => times.p99);
		const p99 = median(p99s);
		return [
			judged(
				`POST, ${perSecond} a second, ${left} or more waiting`,
				`p50 ${shown(p50)}, p99 ${shown(p99)} (${rounds} rounds: ${shown(Math.min(...p99s))} to ${shown(Math.max(...p99s))})`,
				`p99 < ${p99Max} ms, ${waiting} waiting`,
				p99 < p99Max && left >= waiting,
			),
			told("the same with nothing waiting", `p50 ${shown(alone.p50)}, p99 ${shown(alone.p99)}`),
			told("POST as fast as 16 connections can, on the same two cores", `p50 ${shown(flood.p50)}, p99 ${shown(flood.p99)}`),
			loopRow("while 10,000 wait", await server.loop()),
		];
	} finally {
		await server.stop();
	}
};

/** Sends at even times, whether or not the last one was answered: a slow answer must not spare the server the next request. */
async function paced(server: Server, writer: Writer): Promise<readonly number[]> {
	const began = performance.now();
	const answers: Promise<number>[] = [];
	for (let at = 0; at < roundMs; at += 1_000 / perSecond) {
		await Bun.sleep(Math.max(0, began + at - performance.now()));
		answers.push(post(server, "/v3/documents", writer.note()));
	}
	return Promise.all(answers);
}

function take(writer: Writer, count: number) {
	return Array.from({ length: count }, () => writer.note());
}

/** Searches while the pipeline works through a queue at full rate, in turn with the same searches of the idle server. */

import { drained, post, queued, send, unfinished } from "./client.ts";
import type { LoopReport } from "./loop-watch.ts";
import { loopRow, type Measure } from "./measure.ts";
import { createWriter, type Writer } from "./notes.ts";
import { type Question, questions } from "./questions.ts";
import { judged, type Row, told } from "./row.ts";
import { type Server, startServer } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const rounds = 3;
const asked = 200;
/** A person's pace: the server is not kept busy by searches alone. */
const everyMs = 25;
/** Takes longer to work through than the searches take to ask. */
const backlog = 5_000;
const ratioMax = 2;
const patienceMs = 600_000;

interface Phase {
	readonly took: readonly number[];
	readonly loop: LoopReport;
	readonly documents: number;
	readonly seconds: number;
}

export const searchWhileIngesting: Measure = async ({ library }) => {
	const { copy } = await library();
	const server = await startServer(await copy());
	try {
		const asks = questions(asked, 4);
		const writer = createWriter(5);
		await search(server, asks.slice(0, asked / 2));
		const idle: Phase[] = [];
		const busy: Phase[] = [];
		for (let round = 0; round < rounds; round++) {
			await drained(server, patienceMs);
			idle.push(await search(server, asks));
			busy.push(await searchBehind(server, asks, writer));
		}
		return [...rows(idle, busy), ...stopRows(busy)];
	} finally {
		await server.stop();
	}
};

async function searchBehind(server: Server, asks: readonly Question[], writer: Writer): Promise<Phase> {
	await send(
		server,
		Array.from({ length: backlog }, () => writer.note()),
		16,
	);
	const phase = await search(server, asks);
	if ((await queued(server)) === 0) throw new Error("the queue was empty before the searches were through");
	return phase;
}

async function search(server: Server, asks: readonly Question[]): Promise<Phase> {
	const waiting = await unfinished(server);
	await server.loop();
	const began = performance.now();
	const took: number[] = [];
	for (const { body } of asks) {
		const ms = await post(server, "/v3/search", body);
		took.push(ms);
		await Bun.sleep(Math.max(0, everyMs - ms));
	}
	const loop = await server.loop();
	return { took, loop, seconds: (performance.now() - began) / 1_000, documents: waiting - (await unfinished(server)) };
}

function rows(idle: readonly Phase[], busy: readonly Phase[]): readonly Row[] {
	const [alone, beside] = [idle, busy].map((phases) => timesOf(phases.flatMap(({ took }) => took)));
	if (alone === undefined || beside === undefined) throw new Error("there are two kinds of phases");
	const rate = Math.round(sum(busy, ({ documents }) => documents) / sum(busy, ({ seconds }) => seconds));
	const [p50, p99] = [beside.p50 / alone.p50, beside.p99 / alone.p99];
	return [
		told(`search, one every ${everyMs} ms, idle server, ${rounds} rounds of ${asked}`, `p50 ${shown(alone.p50)}, p99 ${shown(alone.p99)}`),
		told(`the same in turn, while ${rate} documents/s are ingested`, `p50 ${shown(beside.p50)}, p99 ${shown(beside.p99)}`),
		judged("ratio of their p50, of their p99", `${p50.toFixed(2)}×, ${p99.toFixed(2)}×`, `≤ ${ratioMax}×`, p50 <= ratioMax && p99 <= ratioMax),
		told("processor time of the thread that answers, a search, idle and ingesting", `${perSearch(idle)}, ${perSearch(busy)}`),
	];
}

function perSearch(phases: readonly Phase[]): string {
	return `${(sum(phases, ({ loop }) => loop.threadCpuMs) / (rounds * asked)).toFixed(2)} ms`;
}

/** The longest stop of all rounds, and how many there were. */
function stopRows(busy: readonly Phase[]): readonly Row[] {
	const longest = busy.map(({ loop }) => loop).reduce((one, other) => (one.computedMs > other.computedMs ? one : other));
	return [loopRow("while searching and ingesting", longest), told("stops of more than 10 ms in these rounds", busy.map(({ loop }) => loop.stops).join(", "))];
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}

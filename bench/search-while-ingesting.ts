/** Searches while the pipeline works through a queue at full rate, against the same searches of an idle server. */

import { post, queued, send, unfinished } from "./client.ts";
import { loopRow, type Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { type Question, questions } from "./questions.ts";
import { type Row, told } from "./row.ts";
import { type Server, startServer } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const asked = 300;
/** A person's pace: the server is not kept busy by searches alone. */
const everyMs = 25;
/** Takes longer to work through than the searches take to ask. */
const backlog = 8_000;

export const searchWhileIngesting: Measure = async ({ library }) => {
	const { copy } = await library();
	const server = await startServer(await copy());
	try {
		const asks = questions(asked, 4);
		await ask(server, asks.slice(0, asked / 3));
		await server.loop();
		const idle = await ask(server, asks);
		const writer = createWriter(5);
		await send(
			server,
			Array.from({ length: backlog }, () => writer.note()),
			16,
		);
		await server.loop();
		const waitingBefore = await unfinished(server);
		const began = performance.now();
		const busy = await ask(server, asks);
		const rate = ((waitingBefore - (await unfinished(server))) / (performance.now() - began)) * 1_000;
		if ((await queued(server)) === 0) throw new Error("the queue was empty before the searches were through");
		return [...rows(idle, busy, rate), loopRow("while searching and ingesting", await server.loop())];
	} finally {
		await server.stop();
	}
};

function rows(idle: readonly number[], busy: readonly number[], rate: number): readonly Row[] {
	const [alone, beside] = [timesOf(idle), timesOf(busy)];
	return [
		told(`search, one every ${everyMs} ms, idle server`, `p50 ${shown(alone.p50)}, p99 ${shown(alone.p99)}`),
		told(`the same while ${Math.round(rate)} documents/s are ingested`, `p50 ${shown(beside.p50)}, p99 ${shown(beside.p99)}`),
		told("ratio of their p50, of their p99", `${(beside.p50 / alone.p50).toFixed(2)}×, ${(beside.p99 / alone.p99).toFixed(2)}×`),
	];
}

async function ask(server: Server, asks: readonly Question[]): Promise<readonly number[]> {
	const took: number[] = [];
	for (const { body } of asks) {
		const ms = await post(server, "/v3/search", body);
		took.push(ms);
		await Bun.sleep(Math.max(0, everyMs - ms));
	}
	return took;
}

/** Search over ten thousand chunks through HTTP, beside the same work called in this process: question by question, in turn. */

import { post } from "./client.ts";
import { openInProcess } from "./in-process.ts";
import { loopRow, type Measure } from "./measure.ts";
import { questions } from "./questions.ts";
import { judged, told } from "./row.ts";
import { startServer } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const asked = 400;
/** Until code is compiled, vectors are read and pages are cached. */
const warmUp = 100;
const timesMax = 3;

export const searchHttp: Measure = async ({ library }) => {
	const { copy } = await library();
	const server = await startServer(await copy());
	try {
		await using direct = await openInProcess(await copy());
		const took = { http: [] as number[], gather: [] as number[], flow: [] as number[] };
		for (const [i, question] of questions(warmUp + asked, 3).entries()) {
			if (i === warmUp) {
				for (const times of Object.values(took)) times.length = 0;
				await server.loop();
			}
			took.http.push(await post(server, "/v3/search", question.body));
			took.gather.push(await timed(() => direct.gather(question)));
			took.flow.push(await timed(() => direct.search(question)));
		}
		const [http, gather, flow] = [timesOf(took.http), timesOf(took.gather), timesOf(took.flow)];
		const times = http.p50 / gather.p50;
		return [
			told("search through HTTP, 10,000 chunks", `p50 ${shown(http.p50)}, p99 ${shown(http.p99)}`),
			told("its SQL and vector work in process", `p50 ${shown(gather.p50)}, p99 ${shown(gather.p99)}`),
			judged("ratio of their p50", `${times.toFixed(2)}×`, `≤ ${timesMax}×`, times <= timesMax),
			told("against the whole flow in process", `${(http.p50 / flow.p50).toFixed(2)}×`),
			loopRow("while searching", await server.loop()),
		];
	} finally {
		await server.stop();
	}
};

async function timed(run: () => Promise<void>): Promise<number> {
	const began = performance.now();
	await run();
	return performance.now() - began;
}

/** How many notes get their memories in a second, while few are known and while many are: the pace must not fall with what is stored. */

import { post } from "./client.ts";
import { loopRow, type Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { judged, told } from "./row.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";

const notes = 10_000;
const connections = 16;
const seed = 1;
const perSecondMin = 300;
/** A pace that falls by more than this falls. */
const flatness = 0.8;
const lookEveryMs = 500;
const patienceMs = 1_800_000;

interface Reached {
	readonly at: number;
	readonly drawn: number;
}

export const memoriesDrawing: Measure = async () => {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	try {
		await server.loop();
		const reached: Reached[] = [{ at: performance.now(), drawn: 0 }];
		const sending = sendAll(server);
		const end = performance.now() + patienceMs;
		while ((reached.at(-1)?.drawn ?? 0) < notes) {
			if (performance.now() > end) throw new Error("it took too long");
			await Bun.sleep(lookEveryMs);
			reached.push({ at: performance.now(), drawn: await drawn(server) });
		}
		await sending;
		const [first, last] = [pace(reached, 0, notes / 5), pace(reached, (notes * 4) / 5, notes)];
		return [
			told(`accepted → remembered, ${notes} notes over ${connections} connections`, `${Math.round(pace(reached, 0, notes))} documents/s`),
			judged("of these, the first fifth", `${Math.round(first)} documents/s`, `≥ ${perSecondMin}/s`, first >= perSecondMin),
			judged("the last fifth", `${Math.round(last)} documents/s`, `≥ ${flatness * 100} % of the first`, last >= first * flatness),
			loopRow("while memories are extracted", await server.loop()),
		];
	} finally {
		await server.stop();
	}
};

async function sendAll(server: Server): Promise<void> {
	const writer = createWriter(seed);
	let left = notes;
	const connection = async () => {
		while (left-- > 0) await post(server, "/v3/documents", writer.note());
	};
	await Promise.all(Array.from({ length: connections }, connection));
}

/** How many documents have their memories. */
async function drawn({ address }: Server): Promise<number> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${address}/v3/documents/documents/facets`, { method: "POST", headers, body: "{}" });
	const { dreamingStatuses } = (await response.json()) as { readonly dreamingStatuses: Readonly<Record<string, number>> };
	return dreamingStatuses["done"] ?? 0;
}

function pace(reached: readonly Reached[], from: number, to: number): number {
	const [begin, end] = [from, to].map((count) => reached.find(({ drawn: done }) => done >= count)?.at ?? Number.NaN);
	return ((to - from) / ((end ?? 0) - (begin ?? 0))) * 1_000;
}

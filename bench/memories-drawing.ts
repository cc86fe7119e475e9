/**
 * How many notes get their memories in a second, while few are known and while many are: the pace must not fall with what is stored.
 * It is counted from the moment when all notes can be searched, for each thousand of them: until then their memories wait. `BENCH_NOTES=2000`
 * takes fewer.
 */

import { post } from "./client.ts";
import { loopRow, type Measure } from "./measure.ts";
import { createWriter } from "./notes.ts";
import { judged, type Row, told } from "./row.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";

const notes = Number(process.env["BENCH_NOTES"] ?? 10_000);
const connections = 16;
const seed = 1;
const perSecondMin = 300;
/** So many notes have a row of their own. */
const notesPerRow = 1_000;
/** A pace that falls by more than this falls. */
const flatness = 0.8;
/** To look is to count all documents: with thousands of them that takes the server 15 ms. */
const lookEveryMs = 1_000;
const patienceMs = 1_800_000;

interface Reached {
	readonly at: number;
	/** How many can be searched, and how many have their memories. */
	readonly done: number;
	readonly drawn: number;
}

export const memoriesDrawing: Measure = async () => {
	await using folder = await temporaryFolder();
	const server = await startServer(folder.path);
	try {
		const began = performance.now();
		const sending = sendAll(server);
		const start = await reachedWhen(server, ({ done }) => done >= notes);
		await sending;
		await server.loop();
		const reached = [start];
		while ((reached.at(-1)?.drawn ?? 0) < notes) reached.push(await reachedWhen(server, () => true));
		const loop = await server.loop();
		const rest = notes - start.drawn;
		const [first, last] = [pace(reached, start.drawn, start.drawn + rest / 5), pace(reached, notes - rest / 5, notes)];
		const took = (reached.at(-1)?.at ?? 0) - began;
		return [
			told(`accepted → remembered, ${notes} notes over ${connections} connections`, `${Math.round((notes / took) * 1_000)} documents/s`),
			judged("memories extracted, after all are done: the first fifth", `${Math.round(first)} documents/s`, `≥ ${perSecondMin}/s`, first >= perSecondMin),
			judged("the last fifth", `${Math.round(last)} documents/s`, `≥ ${flatness * 100} % of the first`, last >= first * flatness),
			...paces(reached, start.drawn),
			told("processor time of the server meanwhile", `${(loop.processCpuMs / rest).toFixed(1)} ms a document`),
			loopRow("while memories are extracted", loop),
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

async function reachedWhen(server: Server, isEnough: (reached: Reached) => boolean): Promise<Reached> {
	for (const end = performance.now() + patienceMs; performance.now() < end; ) {
		await Bun.sleep(lookEveryMs);
		const reached = await look(server);
		if (isEnough(reached)) return reached;
	}
	throw new Error("it took too long");
}

async function look({ address }: Server): Promise<Reached> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${address}/v3/documents/documents/facets`, { method: "POST", headers, body: "{}" });
	const { statuses, dreamingStatuses } = (await response.json()) as Readonly<Record<"statuses" | "dreamingStatuses", Readonly<Record<string, number>>>>;
	return { at: performance.now(), done: statuses["done"] ?? 0, drawn: dreamingStatuses["done"] ?? 0 };
}

/** A row for each thousand notes. The last ones may be fewer. */
function paces(reached: readonly Reached[], start: number): readonly Row[] {
	const begins = Array.from({ length: Math.ceil((notes - start) / notesPerRow) }, (_, i) => start + i * notesPerRow);
	return begins.map((begin) => {
		const end = Math.min(begin + notesPerRow, notes);
		return told(`notes ${begin} to ${end}`, `${Math.round(pace(reached, begin, end))} documents/s`);
	});
}

/** Documents a second between two counts. */
function pace(reached: readonly Reached[], from: number, to: number): number {
	const [begin, end] = [from, to].map((count) => reached.find(({ drawn }) => drawn >= count));
	return begin === undefined || end === undefined ? Number.NaN : ((end.drawn - begin.drawn) / (end.at - begin.at)) * 1_000;
}

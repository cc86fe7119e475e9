/** Cuts the power of a server at moments drawn by chance, as the model of the disk says, and compares what starts from it with what was acknowledged. */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../../contract/samples.ts";
import { startServerProcess } from "../../../doubles/server-process.ts";
import { check } from "../check.ts";
import { createClients } from "../clients.ts";
import { type History, historyAt, newHistory } from "../history.ts";
import { quietly } from "../run-cairn.ts";
import { env } from "../talk.ts";
import { createDiskModel } from "./disk-model.ts";
import { type DiskCall, readTrace, tracing, untilStill } from "./trace.ts";

export interface PowerPlan {
	readonly cuts: number;
	readonly seed: number;
	/** Acknowledged operations before the run ends. */
	readonly operations: number;
	readonly tell: (done: number, faults: number) => void;
	readonly isOver: () => Promise<boolean>;
}

export interface PowerReport {
	readonly cuts: number;
	/** Documents and memories that were compared after the cuts. */
	readonly compared: number;
	readonly writes: number;
	readonly syncs: number;
	readonly faults: readonly string[];
}

const connections = 4;
/** The data folder, which the server makes itself. */
const store = "store";

export async function runPowerCuts(plan: PowerPlan): Promise<PowerReport> {
	const random = seededRandom(plan.seed);
	const folder = await mkdtemp(join(tmpdir(), "cairn-power-"));
	try {
		const { calls, history, since } = await record(folder, random, plan.operations);
		const moments = Array.from({ length: plan.cuts }, () => calls[since + Math.floor(random() * (calls.length - since))]?.ended ?? 0).toSorted((a, b) => a - b);
		const model = createDiskModel(join(folder, "data"));
		const faults: string[] = [];
		let [cuts, compared, next] = [0, 0, 0];
		for (const moment of moments) {
			if (await plan.isOver()) break;
			for (; next < calls.length && (calls[next]?.ended ?? 0) <= moment; next++) model.take(calls[next] as DiskCall);
			// Half of the time nothing is there that was not synced; else every second sector.
			const share = cuts % 2 === 0 ? 0 : 0.5;
			const data = join(folder, `cut-${cuts++}`);
			await model.write(data, () => random() < share);
			const then = historyAt(history, moment * 1_000);
			const found = await startAndCheck(join(data, store), then);
			compared += then.documents.size + then.memories.size;
			faults.push(...found.map((fault) => `cut ${cuts} at ${moment}, ${share === 0 ? "nothing" : "half"} of the rest there: ${fault}`));
			if (found.length === 0) await rm(data, { recursive: true });
			plan.tell(cuts, faults.length);
		}
		const count = (kind: DiskCall["kind"]) => calls.filter((call) => call.kind === kind).length;
		return { cuts, compared, writes: count("write"), syncs: count("sync"), faults };
	} finally {
		await rm(join(folder, "trace"), { recursive: true, force: true });
		if ((await readdir(folder)).every((name) => !name.startsWith("cut-"))) await rm(folder, { recursive: true, force: true });
		else console.log(`the folders are kept: ${folder}`);
	}
}

interface Recorded {
	readonly calls: readonly DiskCall[];
	readonly history: History;
	/** The number of the first call after the server had said that it listens. */
	readonly since: number;
}

async function record(folder: string, random: () => number, operations: number): Promise<Recorded> {
	const [data, traces] = [join(folder, "data"), join(folder, "trace")];
	await mkdir(data);
	await mkdir(traces);
	const history = newHistory();
	const clients = createClients(history, random);
	const server = await startServerProcess(data, { ...env, CAIRN_DATA_DIR: join(data, store) }, undefined, tracing(join(traces, "thread")));
	const listens = Date.now() / 1_000;
	const working = clients.work(server, connections);
	const { counts } = history;
	while (counts.added + counts.changed + counts.deleted + counts.forgotten < operations) await Bun.sleep(10);
	await server.kill("SIGKILL");
	await working;
	await untilStill(traces);
	const calls = await readTrace(traces, data);
	return { calls, history, since: calls.findIndex(({ ended }) => ended > listens) };
}

async function startAndCheck(data: string, then: History): Promise<readonly string[]> {
	await mkdir(data, { recursive: true });
	const server = await startServerProcess(data, env).catch((thrown: Error) => thrown);
	if (server instanceof Error) return [server.message];
	try {
		const { faults } = await check(server, then);
		await server.kill("SIGTERM");
		return (await quietly(data, "verify")) === 0 ? faults : [...faults, "verify finds a fault"];
	} finally {
		await server.kill("SIGKILL");
	}
}

/** The event loop while vector indexes are built: the memories of ten thousand notes are more than are scanned without one. */

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { post, until } from "./client.ts";
import { loopRow, type Measure } from "./measure.ts";
import { questions } from "./questions.ts";
import { told } from "./row.ts";
import { startServer } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const patienceMs = 120_000;

export const indexBuilding: Measure = async ({ library }) => {
	const { copy } = await library();
	const folder = await copy();
	const indexes = join(folder, "sqlite", "indexes");
	await rm(indexes, { recursive: true, force: true });
	const began = performance.now();
	const server = await startServer(folder);
	try {
		const took: number[] = [];
		const asks = questions(200, 6);
		await server.loop();
		// Upkeep begins at the start and builds what is missing.
		await until(
			async () => {
				const next = asks[took.length % asks.length];
				if (next !== undefined) took.push(await post(server, "/v4/search", { q: next.body.q, limit: 10 }));
				return isBuilt(indexes);
			},
			20,
			patienceMs,
		);
		const times = timesOf(took);
		return [
			told("index of all memories built after", `${((performance.now() - began) / 1_000).toFixed(1)} s`),
			told("searching memories meanwhile", `p50 ${shown(times.p50)}, p99 ${shown(times.p99)}`),
			loopRow("while an index is built", await server.loop()),
		];
	} finally {
		await server.stop();
	}
};

/** The manifest is written when all else is. */
async function isBuilt(folder: string): Promise<boolean> {
	const names = await readdir(folder).catch(() => []);
	return names.some((name) => name.endsWith(".json"));
}

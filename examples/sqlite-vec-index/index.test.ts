/** The plugin passes the contract tests of every plugin and of every vector index. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorIndex } from "cairn-memory";
import { pluginContract, quietHost, start, vectorIndexContract } from "cairn-memory/contract";
import sqliteVec, { mayLoad } from "./index.ts";

const isThere = await mayLoad();
if (!isThere) console.warn("sqlite-vec is not tried: its package is not installed, or the SQLite of this machine loads no extensions");

async function open() {
	const folder = await mkdtemp(join(tmpdir(), "cairn-sqlite-vec-"));
	let started = await start(sqliteVec(), { ...quietHost(), folder });
	const offered = (): VectorIndex => {
		const [index] = started.vectorIndex ?? [];
		if (index === undefined) throw new Error("the plugin offers no vector index");
		return index;
	};
	return {
		index: offered(),
		reopen: async () => {
			await started.stop?.();
			started = await start(sqliteVec(), { ...quietHost(), folder });
			return offered();
		},
		dispose: async () => {
			await started.stop?.();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

for (const contractTest of isThere ? [...pluginContract(sqliteVec), ...vectorIndexContract(open)] : []) test(contractTest.name, contractTest.check);

test.skipIf(!isThere)("more neighbours than its index answers are compared one by one", async () => {
	const { index, dispose } = await open();
	const collection = await index.open("many", 2, "");
	const put = Array.from({ length: 5_000 }, (_, i) => ({ id: `id${i}`, vector: Float32Array.of(1, i / 5_000), containerTags: [] }));
	await collection.apply({ put, remove: [], position: "1" });
	const found = await collection.nearest(Float32Array.of(1, 0), 6_000, { containerTags: [], tagsMatch: "all", allowedIds: null });
	expect([found.length, found[0], found.at(-1)]).toEqual([5_000, "id0", "id4999"]);
	await dispose();
});

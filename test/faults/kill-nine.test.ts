/**
 * kill -9 at random moments while documents and memories are added, changed, deleted and forgotten, containers merged, vectors made anew,
 * backups taken and restored. After every restart what was acknowledged is there, ends `done` once and is found once, and what was deleted
 * stays deleted. One folder lives through all kills. `bun test/faults/fault-run.ts kills 1000` is the same for longer.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../contract/samples.ts";
import { runKills } from "./rig/kill-run.ts";
import { openLiveFolder } from "./rig/live-folder.ts";
import { ask } from "./rig/talk.ts";

const kills = new Map([
	["adds, changes, deletions, forgetting", 10],
	["merges of containers", 1],
	["another embedder", 1],
	["a full backup", 1],
	["an incremental backup", 1],
	["a backup to a bucket", 2],
	["a backup over HTTP", 2],
	["a restore", 2],
]);

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-kill-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("nothing acknowledged is lost, and nothing deleted comes back", async () => {
	const { scenes, counts, faults } = await runKills({ kills, seed: 20_26, olderVersion: null, tell: () => undefined, isOver: async () => false });
	expect(faults).toEqual([]);
	for (const [name, count] of kills) expect([name, scenes.get(name)?.kills]).toEqual([name, count]);
	expect(Math.min(counts.added, counts.changed, counts.deleted, counts.forgotten, counts.unanswered)).toBeGreaterThan(0);
	console.log(`kill -9: ${JSON.stringify(counts)}`);
}, 1_200_000);

test("a loss and a return are noticed", async () => {
	const live = await openLiveFolder(folder, seededRandom(1));
	try {
		const { faults } = await live.killWhile(async () => {
			while (Math.min(live.history.counts.deleted, live.history.counts.forgotten) === 0) await Bun.sleep(10);
		});
		expect(faults).toEqual([]);
		const [documents, memories] = [[...live.history.documents.values()], [...live.history.memories.values()]];
		// Done behind the back of the history.
		const lost = documents.find(({ word }) => word !== null);
		await ask(live.server(), "DELETE", `/v3/documents/${lost?.name}`);
		const back = documents.find(({ word }) => word === null);
		await ask(live.server(), "POST", "/v3/documents", { content: `Note ${back?.name} says w0q.`, customId: back?.name, containerTag: back?.tag });
		const changed = memories.find(({ word }) => word !== null);
		await ask(live.server(), "PATCH", "/v4/memories", { containerTag: changed?.tag, id: changed?.id, newContent: `Slot ${changed?.name} holds w0q.` });
		const found = (await live.checkAll()).faults;
		for (const known of [lost, back, changed]) expect(found.filter((fault) => fault.startsWith(`${known?.name} holds`))).toHaveLength(1);
	} finally {
		await live.close();
	}
}, 240_000);

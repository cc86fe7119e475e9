/**
 * A loss of power: of everything that a server wrote, only what it had synced is there, or that and any part of the rest. What was
 * acknowledged before that moment is there at the next start, and what was deleted stays deleted.
 */

import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { olderFolder } from "../doubles/older-folder.ts";
import { createDiskModel } from "./rig/power/disk-model.ts";
import { runPowerCuts } from "./rig/power/power-run.ts";
import { type DiskCall, hasStrace, readTrace, tracing, untilStill } from "./rig/power/trace.ts";
import { quietly, spawnBehind } from "./rig/run-cairn.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-power-test-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
if (!hasStrace) console.log("not tested: there is no strace, or it may not trace");

/** What a disk holds after the calls: names with contents; a folder ends with a slash. */
async function after(calls: readonly DiskCall[], survives = () => false, root = "/d"): Promise<Readonly<Record<string, string>>> {
	const into = await mkdtemp(join(folder, "disk-"));
	const model = createDiskModel(root);
	for (const call of calls) model.take(call);
	await model.write(into, survives);
	const entries = await readdir(into, { recursive: true, withFileTypes: true });
	const named = entries.map(async (entry): Promise<[string, string]> => {
		const path = join(entry.parentPath, entry.name);
		return entry.isFile() ? [path.slice(into.length + 1), await readFile(path, "utf8")] : [`${path.slice(into.length + 1)}/`, ""];
	});
	return Object.fromEntries(await Promise.all(named));
}

let clock = 0;
const now = () => ({ began: ++clock, ended: ++clock });
const create = (path: string): DiskCall => ({ ...now(), kind: "create", path, empties: false });
const write = (path: string, text: string, offset: number | null = null): DiskCall => ({ ...now(), kind: "write", path, bytes: Buffer.from(text), offset });
const sync = (path: string): DiskCall => ({ ...now(), kind: "sync", path });
const rename = (from: string, path: string): DiskCall => ({ ...now(), kind: "rename", from, path });

test("the model keeps what was synced, under names whose folder was synced", async () => {
	expect(await after([create("/d/a"), write("/d/a", "one"), sync("/d/a")])).toEqual({});
	expect(await after([create("/d/a"), write("/d/a", "one"), sync("/d")])).toEqual({ a: "" });
	const safe = [create("/d/a"), write("/d/a", "one"), sync("/d/a"), sync("/d")];
	expect(await after(safe)).toEqual({ a: "one" });
	expect(await after([...safe, write("/d/a", " two")])).toEqual({ a: "one" });
	expect(await after([...safe, write("/d/a", " two"), sync("/d/a"), rename("/d/a", "/d/b")])).toEqual({ a: "one two" });
	expect(await after([...safe, rename("/d/a", "/d/b"), sync("/d")])).toEqual({ b: "one" });
	expect(await after([...safe, { ...now(), kind: "remove", path: "/d/a" }])).toEqual({ a: "one" });
	expect(await after([...safe, { ...now(), kind: "folder", path: "/d/f" }, create("/d/f/a"), sync("/d/f")])).toEqual({ a: "one" });
});

test("a sync keeps what was written before it began, and of the rest any sector may be there", async () => {
	const late: DiskCall = { ...write("/d/a", "late", 3), ended: Number.MAX_SAFE_INTEGER };
	expect(await after([create("/d/a"), write("/d/a", "one"), late, sync("/d/a"), sync("/d")])).toEqual({ a: "one" });
	const whole = [create("/d/a"), sync("/d"), write("/d/a", "x".repeat(1_024))];
	let asked = 0;
	expect(await after(whole, () => ++asked % 2 === 1)).toEqual({ a: "x".repeat(512) });
	expect(await after(whole, () => true)).toEqual({ a: "x".repeat(1_024) });
});

/** Runs a command below the folder, and takes the power when it has said that it is done. @returns what is there then, at another place */
async function afterCommand(root: string, dataDir: string, ...words: readonly string[]): Promise<string> {
	const [traces, into] = [await mkdtemp(join(folder, "trace-")), await mkdtemp(join(folder, "cut-"))];
	expect(await spawnBehind(tracing(join(traces, "thread")), dataDir, words).exited).toBe(0);
	await untilStill(traces);
	const model = createDiskModel(root);
	for (const call of await readTrace(traces, root)) model.take(call);
	await model.write(into, () => false);
	return into;
}

test.skipIf(!hasStrace)(
	"a backup and a restored folder are there when the command has ended",
	async () => {
		const [older, made, restored] = [join(folder, "older"), join(folder, "made"), join(folder, "restored")];
		await olderFolder.unpack(older);
		await mkdir(made);
		await mkdir(restored);
		const left = await afterCommand(made, older, "backup", join(made, "one.tar"));
		// Beside it may be what a kill leaves too.
		expect((await readdir(left)).filter((name) => !name.includes(".unfinished-"))).toEqual(["one.tar"]);
		expect(await quietly(older, "verify", join(left, "one.tar"))).toBe(0);
		const again = await afterCommand(restored, join(restored, "data"), "restore", join(made, "one.tar"));
		expect(await readdir(again)).toEqual(["data"]);
		expect(await quietly(join(again, "data"), "verify")).toBe(0);
		const files = async (data: string) => (await readdir(data, { recursive: true })).filter((name) => !name.endsWith("-shm")).toSorted();
		expect(await files(join(again, "data"))).toEqual(await files(join(restored, "data")));
	},
	120_000,
);

test.skipIf(!hasStrace)(
	"an erasure that has begun is known after it, and one that has ended is not",
	async () => {
		const module = join(import.meta.dir, "../../server/erase/unfinished.ts");
		async function afterSteps(steps: string): Promise<Readonly<Record<string, string>>> {
			const [root, traces] = [await mkdtemp(join(folder, "erase-")), await mkdtemp(join(folder, "trace-"))];
			const script = `const { begin, end } = await require(process.argv[1]).unfinishedErasures(process.argv[2]); ${steps}`;
			expect(await Bun.spawn([...tracing(join(traces, "thread")), process.execPath, "-e", script, module, root]).exited).toBe(0);
			await untilStill(traces);
			return after(await readTrace(traces, root), () => false, root);
		}
		expect(await afterSteps('await begin("o home", ["blob-1", "blob-2"]);')).toEqual({ "erase-unfinished": "o home\nblob-1\nblob-2" });
		expect(await afterSteps('await begin("o home", []); await end(["o home"]);')).toEqual({});
	},
	60_000,
);

test.skipIf(!hasStrace)(
	"what was acknowledged is there after it, and nothing else",
	async () => {
		const { cuts, compared, syncs, faults } = await runPowerCuts({ cuts: 6, seed: 3, operations: 80, tell: () => undefined, isOver: async () => false });
		expect(faults).toEqual([]);
		expect(cuts).toBe(6);
		expect(compared).toBeGreaterThan(100);
		expect(syncs).toBeGreaterThan(20);
	},
	600_000,
);

/** The lock of a place: a holder that has lost it writes no manifest and removes nothing. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeOldBackups } from "../../../server/backup/kept-backups.ts";
import { lockPlace } from "../../../server/backup/place-lock.ts";
import { folderPlace } from "../../../server/backup/places/folder-place.ts";
import { type BackupPlace, writeText } from "../../../server/backup/places/place.ts";
import { writeObjects } from "../../../server/backup/write-objects.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-place-lock-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const other = JSON.stringify({ holder: "other", host: "elsewhere", process: 1, renewedAt: new Date().toISOString() });
const namesIn = async (place: BackupPlace) => [...(await place.list("")), ...(await place.list("objects/"))].map(({ name }) => name).toSorted();

/** A holder whose lock another one has taken over. */
async function overtaken(name: string) {
	const place = folderPlace(join(folder, name));
	const lock = await lockPlace(place);
	await writeText(place, "lock", other);
	return { place, lock };
}

test("a manifest is not written", async () => {
	const { place, lock } = await overtaken("manifest");
	const header = { version: "0", createdAt: "2026-11-22T21:00:00Z", storage: "sqlite" };
	const plan = { place, lock, name: "cairn-2026-11-22T21-00-00Z.json", stored: new Map(), shared: [], files: [], header, onBytes: () => undefined };
	expect(await writeObjects(plan).catch((thrown: unknown) => thrown)).toMatchObject({ code: "BACKUP_RUNNING" });
	expect(await namesIn(place)).toEqual(["lock"]);
	// What is noticed once holds for every later step.
	expect(await lock.demand().catch((thrown: unknown) => thrown)).toMatchObject({ code: "BACKUP_RUNNING" });
	await lock[Symbol.asyncDispose]();
	expect(await namesIn(place)).toEqual(["lock"]);
});

test("neither an old manifest nor an object is removed", async () => {
	const { place, lock } = await overtaken("removal");
	const object = `objects/${"0".repeat(2)}/${"0".repeat(64)}`;
	const manifests = ["cairn-2026-11-21T21-00-00Z.json", "cairn-2026-11-22T21-00-00Z.json"];
	const manifest = JSON.stringify({ format: 1, version: "0", createdAt: "2026-11-22T21:00:00Z", storage: "sqlite", files: [] });
	await writeText(place, object, "of a backup that is being taken");
	for (const name of manifests) await writeText(place, name, manifest);
	for (const kept of [1, 2]) expect(await removeOldBackups(place, kept, lock).catch((thrown: unknown) => thrown)).toMatchObject({ code: "BACKUP_RUNNING" });
	expect(await namesIn(place)).toEqual([...manifests, "lock", object].toSorted());
	await lock[Symbol.asyncDispose]();
});

test("a place that does not answer stops the next step as well", async () => {
	const place = folderPlace(join(folder, "silent"));
	let isSilent = false;
	const lock = await lockPlace({ ...place, read: async (name) => (isSilent ? Promise.reject(new Error("silence")) : place.read(name)) });
	isSilent = true;
	await expect(lock.confirm()).rejects.toThrow("silence");
	isSilent = false;
	await lock.confirm();
	await lock[Symbol.asyncDispose]();
	expect(await place.list("")).toEqual([]);
});

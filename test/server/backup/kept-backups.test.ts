/** The removal of old incremental backups, ended at every step: whatever was removed by then, each manifest that is left finds all its files. */

import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupsIn, newName, removeOldBackups } from "../../../server/backup/kept-backups.ts";
import { parseManifest } from "../../../server/backup/manifest.ts";
import { folderPlace } from "../../../server/backup/places/folder-place.ts";
import { type BackupPlace, readText, writeText } from "../../../server/backup/places/place.ts";
import { objectName } from "../../../server/backup/write-objects.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-kept-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Four backups: each has a file of its own, one that it shares with the next, and one that all share. */
async function fourBackups(place: BackupPlace): Promise<void> {
	for (let i = 0; i < 4; i++) {
		const texts = ["all", `own ${i}`, `shared ${i}`, `shared ${i + 1}`];
		const files = texts.map((text) => ({ path: text, bytes: text.length, sha256: createHash("sha256").update(text).digest("hex") }));
		for (const [at, { sha256 }] of files.entries()) await writeText(place, objectName(sha256), texts[at] ?? "");
		const manifest = { format: 1, version: "0", createdAt: "2026-11-22T21:00:00Z", storage: "sqlite", files };
		await writeText(place, await newName(place, "incremental", new Date("2026-11-22T21:00:00Z")), JSON.stringify(manifest));
	}
	await writeText(place, "objects/00/half.unfinished-12345678", "half");
}

async function missingFiles(place: BackupPlace): Promise<readonly string[]> {
	const stored = new Set((await place.list("objects/")).map(({ name }) => name));
	const manifests = await Promise.all((await backupsIn(place)).map(async ({ name }) => parseManifest((await readText(place, name)) ?? "")));
	return manifests.flatMap(({ files }) => files.filter(({ sha256 }) => !stored.has(objectName(sha256))).map(({ path }) => path));
}

test("each step of it leaves complete backups, and the next removal takes what is left", async () => {
	let steps = 0;
	for (let isOver = false; !isOver; steps++) {
		const place = folderPlace(join(folder, `step-${steps}`));
		await fourBackups(place);
		let left = steps;
		const failing: BackupPlace = {
			...place,
			remove: async (name) => {
				if (left-- === 0) throw new Error("killed");
				await place.remove(name);
			},
		};
		isOver = await removeOldBackups(failing, 2).then(
			() => true,
			() => false,
		);
		expect(await missingFiles(place)).toEqual([]);
		await place.remove("lock");
		await fourBackups(place);
		await removeOldBackups(place, 1);
		expect((await backupsIn(place)).length).toBe(1);
		expect((await place.list("objects/")).length).toBe(4);
		expect(await missingFiles(place)).toEqual([]);
	}
	// Two manifests, and what only they had: two own files, two shared ones, and half of one.
	expect(steps).toBeGreaterThan(6);
});

test("two backups of one second have two names", async () => {
	const place = folderPlace(join(folder, "names"));
	const at = new Date("2026-11-22T21:00:00.900Z");
	for (const expected of ["cairn-2026-11-22T21-00-00Z.tar", "cairn-2026-11-22T21-00-01Z.tar"]) {
		expect(await newName(place, "full", at)).toBe(expected);
		await writeText(place, expected, "x");
	}
});

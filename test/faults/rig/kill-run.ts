/** So many kills, each in a scene drawn by chance, and what was found after each. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../contract/samples.ts";
import { type S3Peer, startS3Peer } from "../../doubles/s3-peer.ts";
import { bucketAt, folderAt } from "./backup-places.ts";
import { kept } from "./backup-scenes.ts";
import type { Counts } from "./history.ts";
import { scenes } from "./kill-scenes.ts";
import { openLiveFolder } from "./live-folder.ts";
import { quietly } from "./run-cairn.ts";
import type { Stage } from "./scene.ts";

export interface KillPlan {
	/** Kills of each scene by its name; others are left out. */
	readonly kills: ReadonlyMap<string, number>;
	readonly seed: number;
	readonly olderVersion: string | null;
	/** Called after each kill. */
	readonly tell: (report: KillReport) => void;
	/** Asked before each kill: whether to end the run early. */
	readonly isOver: () => Promise<boolean>;
}

export interface SceneCount {
	kills: number;
	/** Kills that met what the scene is about, and not the time before or after it. */
	met: number;
	/** Operations that were acknowledged before its kills. */
	acknowledged: number;
	compared: number;
	faults: number;
}

export interface KillReport {
	readonly scenes: ReadonlyMap<string, SceneCount>;
	readonly counts: Counts;
	readonly faults: readonly string[];
}

/** Kills in all, as the scenes share them. */
export function shareKills(all: number): ReadonlyMap<string, number> {
	return new Map(Object.entries(scenes).map(([name, { share }]) => [name, Math.round(all * share)]));
}

export async function runKills({ kills, seed, olderVersion, tell, isOver }: KillPlan): Promise<KillReport> {
	const random = seededRandom(seed);
	const folder = await mkdtemp(join(tmpdir(), "cairn-kills-"));
	const bucket = await startS3Peer({}, "vault");
	const stage = await openStage(folder, random, bucket, olderVersion);
	const { live } = stage;
	const faults: string[] = [];
	const counted = new Map([...kills.keys()].map((name): [string, SceneCount] => [name, { kills: 0, met: 0, acknowledged: 0, compared: 0, faults: 0 }]));
	const report = () => ({ scenes: counted, counts: live.history.counts, faults });
	const order = shuffled(
		[...kills].flatMap(([name, count]) => Array.from({ length: count }, () => name)),
		random,
	);
	try {
		for (const name of order) {
			if (await isOver()) break;
			const count = counted.get(name);
			if (count === undefined) throw new Error(`there is no scene ${name}`);
			const found = await playCounted(name, stage, count);
			faults.push(...found.map((fault) => `${name}: ${fault}`));
			tell(report());
		}
		faults.push(...(await live.checkAll()).faults.map((fault) => `in the end: ${fault}`));
		if ((await quietly(live.folder, "verify")) !== 0) faults.push("in the end: verify finds damage in the live folder");
		return report();
	} catch (thrown) {
		// A start or an answer that did not come: nothing after it can be compared.
		faults.push(`the run ended early: ${(thrown as Error).message}`);
		return report();
	} finally {
		await live.close();
		bucket.close();
		if (faults.length === 0) await rm(folder, { recursive: true, force: true });
		else console.log(`the folder is kept: ${folder}`);
	}
}

async function openStage(folder: string, random: () => number, bucket: S3Peer, olderVersion: string | null): Promise<Stage> {
	const served = random() < 0.5 ? folderAt(join(folder, "served")) : bucketAt(bucket, "served");
	const live = await openLiveFolder(folder, random, () => ({
		...served.env,
		CAIRN_BACKUP_DIR: served.address(),
		CAIRN_BACKUP_KIND: random() < 0.5 ? "full" : "incremental",
		CAIRN_BACKUPS_KEPT: String(kept),
	}));
	await mkdir(join(folder, "full"));
	const places = { full: folderAt(join(folder, "full")), incremental: folderAt(join(folder, "incremental")), bucket: bucketAt(bucket, "commanded"), served };
	return { folder, live, random, places, backups: new Map(), olderVersion };
}

async function playCounted(name: string, stage: Stage, count: SceneCount): Promise<readonly string[]> {
	const before = acknowledgedIn(stage.live.history.counts);
	const scene = await scenes[name]?.play(stage);
	if (scene === undefined) throw new Error(`there is no scene ${name}`);
	count.kills++;
	count.met += scene.isMet ? 1 : 0;
	count.acknowledged += acknowledgedIn(stage.live.history.counts) - before;
	count.compared += scene.compared;
	count.faults += scene.faults.length;
	return scene.faults;
}

function acknowledgedIn({ added, changed, deleted, forgotten, merged }: Counts): number {
	return added + changed + deleted + forgotten + merged;
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
	return items
		.map((item) => [random(), item] as const)
		.toSorted(([a], [b]) => a - b)
		.map(([, item]) => item);
}

/** So many kills, each in a scene drawn by chance, and what was found after each. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../../contract/samples.ts";
import type { Counts } from "./history.ts";
import { type Stage, scenes } from "./kill-scenes.ts";
import { openLiveFolder } from "./live-folder.ts";

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
	const live = await openLiveFolder(folder, random);
	const stage: Stage = { folder, live, random, lastBackup: null, olderVersion };
	const faults: string[] = [];
	const counted = new Map([...kills.keys()].map((name): [string, SceneCount] => [name, { kills: 0, met: 0, compared: 0, faults: 0 }]));
	const report = () => ({ scenes: counted, counts: live.history.counts, faults });
	try {
		for (const name of shuffled(
			[...kills].flatMap(([each, count]) => Array.from({ length: count }, () => each)),
			random,
		)) {
			if (await isOver()) break;
			const count = counted.get(name);
			const scene = await scenes[name]?.play(stage);
			if (scene === undefined || count === undefined) throw new Error(`there is no scene ${name}`);
			count.kills++;
			count.met += scene.isMet ? 1 : 0;
			count.compared += scene.compared;
			count.faults += scene.faults.length;
			faults.push(...scene.faults.map((fault) => `${name}: ${fault}`));
			tell(report());
		}
		faults.push(...(await live.checkAll()).faults.map((fault) => `in the end: ${fault}`));
		return report();
	} finally {
		await live.close();
		if (faults.length === 0) await rm(folder, { recursive: true, force: true });
		else console.log(`the folder is kept: ${folder}`);
	}
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
	return items
		.map((item) => [random(), item] as const)
		.toSorted(([a], [b]) => a - b)
		.map(([, item]) => item);
}

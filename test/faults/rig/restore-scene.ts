/** A restore is killed: its target is not there or whole, it can be restored again, and holds what was acknowledged before its backup. */

import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { startServerProcess } from "../../doubles/server-process.ts";
import type { Backup } from "./backup-places.ts";
import { check } from "./check.ts";
import { type History, historyAt, type Known, newHistory } from "./history.ts";
import { quietlyWith, spawnBehind } from "./run-cairn.ts";
import { pause, type Scene, type Stage } from "./scene.ts";
import { env } from "./talk.ts";

/** After each restore, drawn by chance; memories of one container, because a list of them reads all. */
const comparedMax = { documents: 25, memories: 10 };

export async function restore(stage: Stage): Promise<Scene> {
	const { folder, random } = stage;
	if (stage.backups.size === 0) await takeFirst(stage);
	const backups = [...stage.backups.values()];
	const backup = backups[Math.floor(random() * backups.length)] as Backup;
	const target = join(folder, `restored-${crypto.randomUUID()}`);
	const again = (...words: readonly string[]) => quietlyWith(backup.env, target, ...words);
	const isMet = await killRestore(target, backup, random);
	const faults: string[] = [];
	if (existsSync(target) && (await again("verify")) !== 0) faults.push(`${target} is there and not whole`);
	await removeStarting(target);
	if (!existsSync(target)) {
		const result = await again("restore", backup.address);
		if (result !== 0) faults.push(`${target} cannot be restored from ${backup.address} after a kill: ${result}`);
	}
	if ((await again("verify")) !== 0) faults.push(`${target} is not whole after it was restored again`);
	const { compared, faults: more } = faults.length > 0 ? { compared: 0, faults: [] } : await compareRestored(target, sample(backup.history, random));
	if (faults.length + more.length === 0) await rm(target, { recursive: true, force: true });
	return { compared, isMet, faults: [...faults, ...more.map((fault) => `${target} from ${backup.address}: ${fault}`)] };
}

async function takeFirst({ live, places, backups }: Stage): Promise<void> {
	const address = places.full.address(`${crypto.randomUUID()}.tar`);
	const result = await quietlyWith({}, live.folder, "backup", address);
	if (result !== 0) throw new Error(`backup: ${result}`);
	backups.set("a full backup", { address, env: {}, history: historyAt(live.history, Number.POSITIVE_INFINITY) });
}

/** @returns whether it was still restoring */
async function killRestore(target: string, { address, env: placeEnv }: Backup, random: () => number): Promise<boolean> {
	const command = spawnBehind([], target, ["restore", address], placeEnv);
	while (command.exitCode === null && (await startsOf(target)).length === 0) await Bun.sleep(1);
	await pause(random, 150);
	const isMet = command.exitCode === null;
	command.kill("SIGKILL");
	await command.exited;
	return isMet;
}

async function compareRestored(target: string, expected: History): Promise<{ readonly compared: number; readonly faults: readonly string[] }> {
	const server = await startServerProcess(target, env);
	try {
		const { documents, memories, faults } = await check(server, expected, true);
		return { compared: documents + memories, faults };
	} finally {
		await server.kill("SIGKILL");
	}
}

function sample({ documents, memories }: History, random: () => number): History {
	const some = newHistory();
	const tag = [...memories.values()][Math.floor(random() * memories.size)]?.tag;
	const draw = (from: readonly Known[], count: number, into: Map<string, Known>) => {
		for (let i = 0; i < count && from.length > 0; i++) {
			const known = from[Math.floor(random() * from.length)] as Known;
			into.set(known.name, known);
		}
	};
	draw([...documents.values()], comparedMax.documents, some.documents);
	draw(
		[...memories.values()].filter((known) => known.tag === tag),
		comparedMax.memories,
		some.memories,
	);
	return some;
}

/** What a killed restore leaves beside its target. */
async function startsOf(target: string): Promise<readonly string[]> {
	return (await readdir(dirname(target))).filter((name) => name.startsWith(`${basename(target)}.unfinished-`));
}

async function removeStarting(target: string): Promise<void> {
	for (const name of await startsOf(target)) await rm(join(dirname(target), name), { recursive: true, force: true });
}

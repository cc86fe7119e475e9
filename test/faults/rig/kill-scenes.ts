/** What is going on when the kill comes. Each scene ends with one kill and says what was wrong afterwards. */

import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readStatus, writeEmbedderRequest } from "../../../server/boot/embedder-request.ts";
import { until } from "../../doubles/until.ts";
import { killErasure } from "./erase-scene.ts";
import type { LiveFolder } from "./live-folder.ts";
import { quietly, spawnCommand } from "./run-cairn.ts";
import { ask, type Served } from "./talk.ts";
import { killUpgrade } from "./upgrade-scene.ts";

export interface Scene {
	/** Documents and memories that were compared with what was acknowledged. */
	readonly compared: number;
	/** Whether the kill met what the scene is about. */
	readonly isMet: boolean;
	readonly faults: readonly string[];
}

export interface Stage {
	/** For folders of single scenes. */
	readonly folder: string;
	readonly live: LiveFolder;
	readonly random: () => number;
	/** A whole backup of the live folder; null before the first. */
	lastBackup: string | null;
	/** A checkout of an earlier version, which is started on folders whose upgrade was killed; null for none. */
	readonly olderVersion: string | null;
}

/** With the share of each among all kills. */
export const scenes: Readonly<Record<string, { readonly share: number; readonly play: (stage: Stage) => Promise<Scene> }>> = {
	"adds, changes, deletions, forgetting": { share: 0.46, play: writes },
	"merges of containers": { share: 0.1, play: merges },
	"another embedder": { share: 0.1, play: embedder },
	"a backup": { share: 0.1, play: backup },
	"a restore": { share: 0.08, play: restore },
	"an upgrade": { share: 0.08, play: ({ folder, random, olderVersion }) => killUpgrade(folder, random, olderVersion) },
	"an erasure": { share: 0.08, play: ({ folder, random }) => killErasure(folder, random) },
};

const pause = (random: () => number, msMax: number) => Bun.sleep(random() * msMax);

async function writes({ live, random }: Stage): Promise<Scene> {
	const before = live.history.counts.unanswered;
	const { documents, memories, faults } = await live.killWhile(() => pause(random, 500));
	return { compared: documents + memories, isMet: live.history.counts.unanswered > before, faults };
}

const merged = { documents: 12, memories: 4 };
let mergesBegun = 0;

async function merges({ live, random }: Stage): Promise<Scene> {
	const [from, to] = [`from-${++mergesBegun}`, `to-${mergesBegun}`];
	const prepared = live.server();
	const documents = Array.from({ length: merged.documents }, (_, i) => ({ content: `Page ${i} of ${from}.`, customId: `${from}-${i}`, taskType: "superrag" }));
	await ask(prepared, "POST", "/v3/documents/batch", { documents, containerTag: from });
	const facts = Array.from({ length: merged.memories }, (_, i) => ({ content: `Fact ${i} of ${from}.` }));
	await ask(prepared, "POST", "/v4/memories", { containerTag: from, memories: facts });
	await ask(prepared, "PATCH", `/v3/container-tags/${to}`, {});
	let mergeId: unknown = null;
	let isMet = false;
	const checked = await live.killWhile(
		async (server) => {
			({ mergeId } = await ask(server, "POST", "/v3/container-tags/merge", { containerTags: [from, to], targetContainerTag: to }));
			await pause(random, 60);
			isMet = (await ask(server, "GET", `/v3/container-tags/merge/${mergeId}`))["status"] !== "done";
		},
		async (server) => {
			await until(async () => (await ask(server, "GET", `/v3/container-tags/merge/${mergeId}`))["status"] === "done");
			live.history.counts.merged++;
			return compareMerged(server, from, to);
		},
	);
	return { compared: checked.documents + checked.memories + merged.documents + merged.memories, isMet, faults: checked.faults };
}

async function compareMerged(server: Served, from: string, to: string): Promise<readonly string[]> {
	const tags = await ask<readonly { containerTag: string; memoryCount: number }[]>(server, "GET", "/v3/container-tags/list");
	const faults = tags.some(({ containerTag }) => containerTag === from) ? [`${from} is still there after its merge`] : [];
	const memories = tags.find(({ containerTag }) => containerTag === to)?.memoryCount;
	if (memories !== merged.memories) faults.push(`${to} has ${memories} memories after the merge, of ${merged.memories}`);
	for (let i = 0; i < merged.documents; i++) {
		const { containerTags } = await ask<{ containerTags: readonly string[] }>(server, "GET", `/v3/documents/${from}-${i}`);
		if (containerTags.join() !== to) faults.push(`${from}-${i} is in ${containerTags.join()} after the merge`);
	}
	return faults;
}

const embedders = ["static", "hashing"] as const;

async function embedder({ live, random }: Stage): Promise<Scene> {
	const { folder } = live;
	const wished = readStatus(folder)?.active === embedders[0] ? embedders[1] : embedders[0];
	writeEmbedderRequest(folder, wished === embedders[0] ? null : { use: wished, over: embedders[0] });
	let isMet = false;
	const { documents, memories, faults } = await live.killWhile(
		async () => {
			// The server looks for a request twice a second.
			await until(() => readStatus(folder)?.next !== null || readStatus(folder)?.active === wished);
			await pause(random, 150);
			isMet = readStatus(folder)?.next !== null;
		},
		async () => {
			await until(() => readStatus(folder)?.active === wished);
			return [];
		},
	);
	return { compared: documents + memories, isMet, faults };
}

async function backup(stage: Stage): Promise<Scene> {
	const { live, folder, random } = stage;
	const file = join(folder, `backup-${crypto.randomUUID()}.tar`);
	let isMet = false;
	const { documents, memories, faults } = await live.killWhile(async () => {
		const command = spawnCommand(live.folder, "backup", file);
		await untilThere(`${file}.unfinished-`, command);
		await pause(random, 250);
		isMet = command.exitCode === null;
		command.kill("SIGKILL");
		await command.exited;
	});
	const more = existsSync(file) ? await quietly(live.folder, "verify", file) : null;
	await removeStarting(file);
	if (more === null) await quietly(live.folder, "backup", file);
	if (stage.lastBackup !== null) await rm(stage.lastBackup, { force: true });
	stage.lastBackup = file;
	return { compared: documents + memories, isMet, faults: more === null || more === 0 ? faults : [...faults, `${file} is there and not whole`] };
}

async function restore(stage: Stage): Promise<Scene> {
	const { live, folder, random } = stage;
	const archive = stage.lastBackup ?? join(folder, "backup-first.tar");
	if (stage.lastBackup === null) await quietly(live.folder, "backup", archive);
	stage.lastBackup = archive;
	const target = join(folder, `restored-${crypto.randomUUID()}`);
	const command = spawnCommand(target, "restore", archive);
	await untilThere(`${target}.unfinished-`, command);
	await pause(random, 150);
	const isMet = command.exitCode === null;
	command.kill("SIGKILL");
	await command.exited;
	const faults: string[] = [];
	if (existsSync(target) && (await quietly(target, "verify")) !== 0) faults.push(`${target} is there and not whole`);
	await removeStarting(target);
	if (!existsSync(target) && (await quietly(target, "restore", archive)) !== 0) faults.push(`${target} cannot be restored after a kill`);
	if ((await quietly(target, "verify")) !== 0) faults.push(`${target} is not whole after it was restored again`);
	await rm(target, { recursive: true, force: true });
	return { compared: 0, isMet, faults };
}

/** Waits until a file or folder is there whose path begins so, or the command has ended. */
async function untilThere(start: string, command: { readonly exitCode: number | null }): Promise<void> {
	while (command.exitCode === null && !(await readdir(dirname(start))).some((name) => name.startsWith(basename(start)))) await Bun.sleep(1);
}

/** What a killed command leaves beside its target. */
async function removeStarting(target: string): Promise<void> {
	for (const name of await readdir(dirname(target)))
		if (name.startsWith(`${basename(target)}.unfinished-`)) await rm(join(dirname(target), name), { recursive: true, force: true });
}

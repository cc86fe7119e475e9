/** What is going on when the kill comes. Each scene ends with one kill and says what was wrong afterwards. */

import { readStatus, writeEmbedderRequest } from "../../../server/boot/embedder-request.ts";
import { until } from "../../doubles/until.ts";
import { bucketBackup, fullBackup, incrementalBackup, servedBackup } from "./backup-scenes.ts";
import { killErasure } from "./erase-scene.ts";
import { restore } from "./restore-scene.ts";
import { pause, type Scene, type Stage } from "./scene.ts";
import { ask, type Served } from "./talk.ts";
import { killUpgrade } from "./upgrade-scene.ts";

/** With the share of each among all kills. */
export const scenes: Readonly<Record<string, { readonly share: number; readonly play: (stage: Stage) => Promise<Scene> }>> = {
	"adds, changes, deletions, forgetting": { share: 0.32, play: writes },
	"merges of containers": { share: 0.1, play: merges },
	"another embedder": { share: 0.1, play: embedder },
	"a full backup": { share: 0.05, play: fullBackup },
	"an incremental backup": { share: 0.06, play: incrementalBackup },
	"a backup to a bucket": { share: 0.06, play: bucketBackup },
	"a backup over HTTP": { share: 0.07, play: servedBackup },
	"a restore": { share: 0.08, play: restore },
	"an upgrade": { share: 0.08, play: ({ folder, random, olderVersion }) => killUpgrade(folder, random, olderVersion) },
	"an erasure": { share: 0.08, play: ({ folder, random }) => killErasure(folder, random) },
};

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
			await pause(random, 300);
			isMet = readStatus(folder)?.next !== null;
		},
		async () => {
			await until(() => readStatus(folder)?.active === wished);
			return [];
		},
	);
	return { compared: documents + memories, isMet, faults };
}

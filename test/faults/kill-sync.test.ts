/** kill -9 at random moments of a sync: it goes on where it was, and brings every object once, changed and deleted ones included. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startS3Peer, textsOf } from "../doubles/s3-peer.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const rounds = 4;
const objects = 240;
const key = "kill-sync-test-key-0001";

const folder = await mkdtemp(join(tmpdir(), "cairn-kill-sync-"));
const peer = await startS3Peer(Object.fromEntries(Array.from({ length: objects }, (_, i) => [`crates/${i}.txt`, `Crate ${i} holds q${i}z.`])));
afterAll(async () => {
	peer.close();
	await rm(folder, { recursive: true, force: true });
});

let seed = 7;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
	return seed / 0x80000000;
};

const start = () => startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error", CAIRN_FETCH_ALLOW: peer.host });

async function ask<Answer>(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Answer> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	return (path.endsWith("/import") ? null : await response.json()) as Answer;
}

interface Shown {
	readonly id: string;
	readonly status: string;
}
const documentsOf = (server: ServerProcess) => ask<readonly Shown[]>(server, "POST", "/v3/connections/s3/documents", {});

/** Waits until no sync runs and every document is done. */
async function quiet(server: ServerProcess, id: string): Promise<void> {
	await until(async () => {
		const { lastSyncRun } = await ask<{ readonly lastSyncRun?: { readonly status: string } }>(server, "GET", `/v3/connections/${id}`);
		const { total } = await ask<{ readonly total: number }>(server, "GET", "/v3/documents/processing");
		return lastSyncRun?.status === "completed" && total === 0;
	});
}

async function texts(server: ServerProcess): Promise<readonly string[]> {
	const { memories } = await ask<{ readonly memories: readonly { readonly content: string; readonly status: string }[] }>(
		server,
		"POST",
		"/v3/documents/list",
		{
			limit: 1_100,
			includeContent: true,
		},
	);
	for (const { status } of memories) expect(status).toBe("done");
	return memories.map(({ content }) => content.trim()).toSorted();
}

test(`${rounds} kills during the first sync and ${rounds} during later ones lose and double nothing`, async () => {
	let server = await start();
	const metadata = { ...peer.keys, endpoint: peer.endpoint };
	const { id } = await ask<{ readonly id: string }>(server, "POST", "/v3/connections/s3", { containerTag: "crates", metadata });
	/** How far it had come at each kill. */
	const counts: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const wanted = (counts.at(-1) ?? 0) + 1 + random() * 40;
		await until(async () => (await documentsOf(server)).length >= Math.min(wanted, objects));
		counts.push((await documentsOf(server)).length);
		await server.kill("SIGKILL");
		server = await start();
	}
	expect(counts.filter((count) => count > 0 && count < objects).length).toBeGreaterThan(1);
	await quiet(server, id);
	expect(await texts(server)).toEqual([...textsOf(peer).values()].toSorted());
	const before = new Set((await documentsOf(server)).map((document) => document.id));

	for (let round = 0; round < rounds; round++) {
		for (let i = 0; i < 20; i++) peer.objects.set(`crates/${Math.floor(random() * objects)}.txt`, `Crate of round ${round} holds r${round}n${i}.`);
		peer.objects.delete(`crates/${round}.txt`);
		await ask(server, "POST", "/v3/connections/s3/import", {});
		await Bun.sleep(150 + random() * 250);
		await server.kill("SIGKILL");
		server = await start();
	}
	await ask(server, "POST", "/v3/connections/s3/import", {});
	// A run that a kill has cut off may end before the one that was just asked for begins.
	await until(async () => {
		await quiet(server, id);
		return Bun.deepEquals(await texts(server).catch(() => null), [...textsOf(peer).values()].toSorted());
	});
	const after = (await documentsOf(server)).map((document) => document.id);
	expect(after.filter((document) => !before.has(document)).length).toBeLessThanOrEqual(rounds);

	// A deletion that is killed is finished by the next start.
	const deleting = ask(server, "DELETE", `/v3/connections/${id}`).catch(() => null);
	await until(async () => (await documentsOf(server)).length < after.length);
	await server.kill("SIGKILL");
	await deleting;
	server = await start();
	await until(async () => (await texts(server)).length === 0);
	expect([await texts(server), await ask<readonly Shown[]>(server, "POST", "/v3/connections/list", {})]).toEqual([[], []]);
	await server.kill("SIGKILL");
	console.log(`kill -9 during syncs: documents at the kills of the first sync: ${counts.join(", ")} of ${objects}`);
}, 600_000);

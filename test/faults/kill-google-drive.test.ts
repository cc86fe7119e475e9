/** kill -9 at random moments of syncs with Google Drive: they go on where they were, bring every file once, and need no new sign-in. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGooglePeer } from "../doubles/google-peer.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const rounds = 3;
const files = 160;
const key = "kill-drive-test-key-0001";

const folder = await mkdtemp(join(tmpdir(), "cairn-kill-drive-"));
const peer = await startGooglePeer(
	Object.fromEntries(Array.from({ length: files }, (_, i) => [`file-number-${i}`, { name: `Crate ${i}.txt`, content: `Crate ${i} holds q${i}z.` }])),
);
peer.pageMax = 30;
afterAll(async () => {
	peer.close();
	await rm(folder, { recursive: true, force: true });
});

let seed = 11;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
	return seed / 0x80000000;
};

const start = () =>
	startServerProcess(folder, {
		...{ CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" },
		...{ CAIRN_OAUTH_GOOGLE_ID: peer.oauth.clientId, CAIRN_OAUTH_GOOGLE_SECRET: peer.oauth.clientSecret, CAIRN_OAUTH_GOOGLE_URL: peer.endpoint },
	});

async function ask<Answer>(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Answer> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	return (path.endsWith("/import") ? null : await response.json()) as Answer;
}

const countOf = async (server: ServerProcess) => (await ask<readonly unknown[]>(server, "POST", "/v3/connections/google-drive/documents", {})).length;

interface Listed {
	readonly id: string;
	readonly status: string;
	readonly content: string;
}
const documentsOf = async (server: ServerProcess) =>
	(await ask<{ readonly memories: readonly Listed[] }>(server, "POST", "/v3/documents/list", { limit: 1_100, includeContent: true })).memories;

/** Waits until all that Drive has is here, each file once. */
const same = (server: ServerProcess) =>
	until(async () => {
		const found = await documentsOf(server);
		const texts = found.map(({ content }) => (content ?? "").trim()).toSorted();
		return (
			found.every(({ status }) => status === "done") &&
			Bun.deepEquals(texts, [...peer.files.values()].map(({ content }) => String(content)).toSorted()) &&
			found
		);
	});

test(`${rounds} kills during the first sync and ${rounds} during later ones lose and double nothing, and the sign-in holds`, async () => {
	let server = await start();
	const { authLink } = await ask<{ readonly authLink: string }>(server, "POST", "/v3/connections/google-drive", { containerTag: "crates" });
	const consent = await fetch(authLink, { redirect: "manual" });
	expect((await fetch(consent.headers.get("location") ?? "")).status).toBe(200);
	/** How far it had come at each kill. */
	const counts: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const wanted = (counts.at(-1) ?? 0) + 1 + random() * 30;
		await until(async () => (await countOf(server)) >= Math.min(wanted, files));
		counts.push(await countOf(server));
		await server.kill("SIGKILL");
		peer.oauth.expireTokens();
		server = await start();
	}
	const before = new Set((await same(server)).map(({ id }) => id));
	expect(before.size).toBe(files);

	for (let round = 0; round < rounds; round++) {
		for (let i = 0; i < 10; i++)
			peer.put(`file-number-${10 + Math.floor(random() * (files - 10))}`, { content: `Crate of round ${round} holds r${round}n${i}.` });
		peer.remove(`file-number-${round}`);
		await ask(server, "POST", "/v3/connections/google-drive/import", {});
		const asked = peer.asked.length;
		await until(() => peer.asked.length > asked + random() * 8);
		await server.kill("SIGKILL");
		server = await start();
	}
	await ask(server, "POST", "/v3/connections/google-drive/import", {});
	const after = await same(server);
	expect(after.filter(({ id }) => !before.has(id))).toEqual([]);
	expect(peer.oauth.liveGrants()).toBe(1);
	await server.kill("SIGKILL");
	console.log(`kill -9 during syncs with Drive: documents at the kills of the first sync: ${counts.join(", ")} of ${files}`);
}, 600_000);

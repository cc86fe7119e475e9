/** A server of its own whose records lie with the example storage: what is done is found, and still after a kill. */

import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootFolder } from "../../scripts/checks.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-node-sqlite-"));
const env = { CAIRN_CONFIG: join(rootFolder, "examples/node-sqlite-storage/cairn.config.ts") };
let server: ServerProcess | null = null;

afterEach(async () => {
	await server?.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

test("what is done is found over HTTP, after a kill as well", async () => {
	server = await startServerProcess(folder, env);
	const { key } = server;
	const send = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		const response = await fetch(`${server?.address}${path}`, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
		expect(response.ok).toBe(true);
		return response.json() as Promise<Answer>;
	};
	const search = async () => (await send<{ results: readonly { documentId: string }[] }>("/v3/search", { q: "who counts the ships" })).results;
	const { id } = await send<{ id: string }>("/v3/documents", { content: "The lighthouse keeper counts the ships that pass at night." });
	await until(async () => (await send<{ status: string }>(`/v3/documents/${id}`)).status === "done");
	expect((await search()).map(({ documentId }) => documentId)).toEqual([id]);
	await server.kill("SIGKILL");
	server = await startServerProcess(folder, env);
	expect((await search()).map(({ documentId }) => documentId)).toEqual([id]);
	expect(existsSync(join(folder, "cairn-plugin-storage-node-sqlite", "cairn.sqlite"))).toBe(true);
	expect(existsSync(join(folder, "sqlite"))).toBe(false);
}, 120_000);

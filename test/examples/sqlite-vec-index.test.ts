/** A server of its own whose nearest vectors come from the example index: found when done, after a kill, and after the index was deleted. */

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mayLoad } from "../../examples/sqlite-vec-index/index.ts";
import { rootFolder } from "../../scripts/checks.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-sqlite-vec-"));
const indexFolder = join(folder, "cairn-plugin-index-sqlite-vec");
const env = { CAIRN_CONFIG: join(rootFolder, "examples/sqlite-vec-index/cairn.config.ts") };
let server: ServerProcess | null = null;

afterEach(async () => {
	await server?.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

async function send<Answer>(path: string, body?: unknown): Promise<Answer> {
	const headers = { authorization: `Bearer ${server?.key ?? ""}`, "content-type": "application/json" };
	const response = await fetch(`${server?.address}${path}`, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return response.json() as Promise<Answer>;
}

async function search(): Promise<readonly string[]> {
	const { results } = await send<{ results: readonly { documentId: string }[] }>("/v3/search", { q: "who counts the ships" });
	return results.map(({ documentId }) => documentId);
}

/** How many chunks the index holds. */
function held(): number {
	const file = existsSync(indexFolder) ? readdirSync(indexFolder).find((name) => /^chunk-\w+\.db$/.test(name)) : undefined;
	if (file === undefined) return 0;
	const db = new Database(join(indexFolder, file), { readonly: true });
	try {
		return db.query<{ count: number }, []>("SELECT count(*) AS count FROM entries").get()?.count ?? 0;
	} catch {
		// It is being made.
		return 0;
	} finally {
		db.close();
	}
}

async function untilHeld(): Promise<void> {
	while (held() === 0) await Bun.sleep(20);
}

test.skipIf(!(await mayLoad()))("what is done is found over HTTP, after a kill and without the folder of the index as well", async () => {
	server = await startServerProcess(folder, env);
	const key = server.key;
	const { id } = await send<{ id: string }>("/v3/documents", { content: "The lighthouse keeper counts the ships that pass at night." });
	while ((await send<{ status: string }>(`/v3/documents/${id}`)).status !== "done") await Bun.sleep(20);
	expect(await search()).toEqual([id]);
	await untilHeld();
	expect(await search()).toEqual([id]);

	await server.kill("SIGKILL");
	server = { ...(await startServerProcess(folder, env)), key };
	expect(await search()).toEqual([id]);
	expect(held()).toBe(1);

	await server.kill("SIGTERM");
	await rm(indexFolder, { recursive: true });
	server = { ...(await startServerProcess(folder, env)), key };
	expect(await search()).toEqual([id]);
	await untilHeld();
	expect(server.printed()).not.toContain("could not be fed");
});

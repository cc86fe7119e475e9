/** kill -9 while containers are merged: after a restart the merge goes on by itself, and every document and memory is in the target, once. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "merge-kill-test-key-0001";
const count = 300;
/** From the answer to the end: somewhere in between the process goes. */
const killsAfterMs = [0, 15, 60];
const folder = await mkdtemp(join(tmpdir(), "cairn-merge-"));
let running: ServerProcess | null = null;
afterAll(async () => {
	await running?.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

async function ask(server: ServerProcess, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	return (await answer.json()) as Record<string, unknown>;
}

async function start(): Promise<ServerProcess> {
	running = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
	return running;
}
const tagAfter = (round: number) => `tag${round}`;

test("a merge survives its server", async () => {
	let server = await start();
	const memories = Array.from({ length: 50 }, (_each, i) => ({ content: `Fact number ${i}` }));
	await ask(server, "POST", "/v4/memories", { containerTag: tagAfter(0), memories });
	const documents = Array.from({ length: count }, (_each, i) => ({ content: `Note ${i}.`, taskType: "superrag" }));
	expect(await ask(server, "POST", "/v3/documents/batch", { documents, containerTag: tagAfter(0) })).toMatchObject({ success: count });
	for (const [round, afterMs] of killsAfterMs.entries()) {
		const [from, to] = [tagAfter(round), tagAfter(round + 1)];
		await ask(server, "PATCH", `/v3/container-tags/${to}`, {});
		const { mergeId } = await ask(server, "POST", "/v3/container-tags/merge", { containerTags: [from, to], targetContainerTag: to });
		await Bun.sleep(afterMs);
		await server.kill("SIGKILL");
		server = await start();
		await until(async () => (await ask(server, "GET", `/v3/container-tags/merge/${mergeId}`))["status"] === "done");
		const tags = (await ask(server, "GET", "/v3/container-tags/list")) as unknown as {
			readonly containerTag: string;
			readonly documentCount: number;
			readonly memoryCount: number;
		}[];
		expect(tags.map(({ containerTag, documentCount, memoryCount }) => [containerTag, documentCount, memoryCount])).toEqual([[to, count + 1, memories.length]]);
	}
}, 300_000);

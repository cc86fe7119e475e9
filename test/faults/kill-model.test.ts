/** kill -9 while the language model thinks: what it had answered is not asked again, and the memories come. The server as its user has it, by its usual environment. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hanging, remembering, startModelServer } from "../doubles/model-server.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "kill-model-test-key-0001";
const secret = "sk-canary-kill-model";
const folder = await mkdtemp(join(tmpdir(), "cairn-kill-model-"));
const pages = ["Ana keeps bees in Lisbon.", "Ben plays chess in Ulm."].map((text) => `${text} ${"The wind blew over the hills all day long. ".repeat(178)}`);
let isThinking = true;
const model = startModelServer(({ prompt }) => {
	if (prompt.includes("Ben plays chess")) return isThinking ? hanging() : remembering([{ text: "Ben plays chess in Ulm.", quote: "Ben plays chess in Ulm" }]);
	return remembering([{ text: "Ana keeps bees in Lisbon.", quote: "Ana keeps bees in Lisbon" }]);
});
afterAll(async () => {
	await model.stop();
	await rm(folder, { recursive: true, force: true });
});

const start = () =>
	startServerProcess(folder, {
		CAIRN_API_KEY: key,
		CAIRN_LOG_LEVEL: "debug",
		OPENAI_BASE_URL: model.baseUrl,
		OPENAI_MODEL: "stub:8b",
		CAIRN_MODEL_USES: "memories",
		OPENAI_API_KEY: secret,
		ANTHROPIC_API_KEY: secret,
	});

async function ask<Answer>(server: ServerProcess, method: string, path: string, body?: unknown): Promise<Answer> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Answer;
}

test("nothing is paid twice over a kill, and no secret is printed", async () => {
	const first = await start();
	expect(first.printed()).toContain(`stub:8b of openai at ${model.baseUrl}`);
	const { id } = await ask<{ id: string }>(first, "POST", "/v3/documents", { content: pages.join("\n\n"), containerTag: "both", metadata: { title: "Pages" } });
	await until(() => model.asked.length === 2);
	await first.kill("SIGKILL");
	isThinking = false;
	const second = await start();
	try {
		await until(async () => (await ask<{ dreamingStatus: string }>(second, "GET", `/v3/documents/${id}`)).dreamingStatus === "done");
		const { memoryEntries } = await ask<{ memoryEntries: readonly { memory: string }[] }>(second, "POST", "/v4/memories/list", { containerTags: ["both"] });
		expect(memoryEntries.map(({ memory }) => memory).sort()).toEqual(["Ana keeps bees in Lisbon.", "Ben plays chess in Ulm."]);
		expect(model.asked.filter(({ prompt }) => prompt.includes("Ana keeps bees")).length).toBe(1);
		expect(model.asked.length).toBe(3);
		const { total } = await ask<{ total: unknown }>(second, "GET", "/v3/usage");
		expect(total).toEqual({ calls: 2, inputTokens: 200, outputTokens: 40, cost: 0 });
	} finally {
		await second.kill("SIGTERM");
	}
	expect(first.printed() + second.printed()).not.toContain(secret);
}, 300_000);

/** Another embedder on a server that runs: wished for by command, killed in between, used, and left again. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readStatus, writeEmbedderRequest } from "../../server/boot/embedder-request.ts";
import { writeEmbedder } from "../doubles/onnx-model.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-switch-"));
await writeEmbedder(join(folder, "models", "small"), { words: ["lighthouse", "granite", "keeper", "storm"] });
let server: ServerProcess | null = null;
afterAll(async () => {
	await server?.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

const key = "sm_test_0123456789abcdef";
const env = { CAIRN_API_KEY: key, CAIRN_USE_EMBEDDER: "static" };
const documents = 120;
const topics = ["lighthouse", "granite", "keeper", "storm", "basil", "museum"];

async function send(path: string, body?: unknown): Promise<Record<string, unknown>> {
	const init = {
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
	};
	const response = await fetch(`${server?.address}${path}`, init);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Record<string, unknown>;
}

async function found(q: string): Promise<readonly string[]> {
	const { results } = (await send("/v3/search", { q, limit: 3, onlyMatchingChunks: true })) as { results: { chunks: { content: string }[] }[] };
	return results.flatMap(({ chunks }) => chunks.map(({ content }) => content));
}

const command = (...words: readonly string[]) =>
	Bun.spawn([process.execPath, resolve(import.meta.dir, "../../server/main.ts"), "embedder", ...words, `--data-dir=${folder}`], {
		stdout: "pipe",
		stderr: "pipe",
		cwd: folder,
		// It is for the tests, and the command refuses settings that it does not know.
		env: { ...process.env, CAIRN_TEST_POSTGRES_URL: undefined },
	});

test("searches go on while the vectors are made, a kill costs nothing, and the way back is open", async () => {
	server = await startServerProcess(folder, env);
	for (let i = 0; i < documents; i++)
		await send("/v3/documents", { content: `Note ${i} about the ${topics[i % topics.length]} number ${i}.`, taskType: "superrag" });
	await until(async () => ((await send("/v3/documents/processing")) as { totalCount?: number; documents: unknown[] }).documents.length === 0);
	expect(readStatus(folder)).toMatchObject({ active: "static", next: null, configured: "static" });

	writeEmbedderRequest(folder, { use: "small", over: "static" });
	await until(() => (readStatus(folder)?.next?.name ?? readStatus(folder)?.active) === "small");
	await server.kill("SIGKILL");
	server = await startServerProcess(folder, env);
	const answers: number[] = [];
	await until(async () => {
		answers.push((await found("granite number 7")).length);
		return readStatus(folder)?.active === "small";
	});
	expect(Math.min(...answers)).toBeGreaterThan(0);
	expect((await found("lighthouse"))[0]).toContain("lighthouse");
	expect(readStatus(folder)).toMatchObject({ active: "small", next: null, previous: "static" });

	const back = command("use", "static");
	const [code, shown, errors] = await Promise.all([back.exited, new Response(back.stdout).text(), new Response(back.stderr).text()]);
	expect({ code, errors }).toEqual({ code: 0, errors: "" });
	expect(shown).toContain("searches use static");
	expect((await found("storm"))[0]).toContain("storm");

	const told = command();
	await told.exited;
	expect(await new Response(told.stdout).text()).toMatch(/searches use +static[\s\S]*keeping vectors of +small[\s\S]*known +.*small/);
	const wrong = command("use", "nobody");
	expect(await wrong.exited).toBe(1);
	expect(await new Response(wrong.stderr).text()).toContain("no embedder is called nobody");
}, 300_000);

/** The roles of a server: one takes requests and works on no jobs, the other works and answers only whether it is well. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endedStart } from "../doubles/server-process.ts";
import type { TestClient, TestServer } from "../doubles/test-server.ts";
import { type Databases, databasesHere, type Nodes, startNodes } from "../doubles/two-nodes.ts";

const token = "metrics-token-0123456789";
let isRunning = true;
let databases: Databases;
let nodes: Nodes;
let api: TestClient;
let worker: TestServer;
beforeAll(async () => {
	databases = await databasesHere();
	nodes = await startNodes(databases, [["--role=api"], ["--role=worker", `--metrics-token=${token}`]], () => isRunning);
	[api] = nodes.clients;
	[, worker] = nodes.servers;
}, 120_000);
afterAll(async () => {
	await nodes.dispose();
	await databases.close();
});

const ask = (path: string, init: RequestInit = {}) => worker.app.handle(new Request(`http://localhost${path}`, init));

test("what one accepts the other reads", async () => {
	const added = await api.send("POST", "/v3/documents", { content: "The ferry leaves at nine.", containerTag: "pier" });
	const { id } = (await added.json()) as { readonly id: string };
	expect(await api.finished(id)).toMatchObject({ status: "done" });
	const { results } = (await (await api.send("POST", "/v3/search", { q: "when does the ferry leave" })).json()) as { results: readonly unknown[] };
	expect(results).toHaveLength(1);
}, 120_000);

test("a worker answers whether it is well, what it measures, and nothing else", async () => {
	expect(await (await ask("/health")).json()).toMatchObject({ status: "ok" });
	expect(await (await ask("/ready")).json()).toMatchObject({ status: "ready", role: "worker", queue: {} });
	const metrics = await ask("/metrics", { headers: { authorization: `Bearer ${token}` } });
	expect([metrics.status, (await metrics.text()).includes("cairn_jobs")]).toEqual([200, true]);
	const authorization = `Bearer ${api.key}`;
	for (const path of ["/", "/v3/search?q=ferry", "/v3/documents/list", "/swagger", "/docs", "/mcp"])
		expect([path, (await ask(path, { headers: { authorization } })).status]).toEqual([path, 404]);
	expect(await (await api.send("GET", "/ready")).json()).toMatchObject({ status: "ready", role: "api" });
});

test("a worker knows no route of others, whatever is sent to it, and shows its metrics to nobody without the token", async () => {
	const authorization = `Bearer ${api.key}`;
	const body = JSON.stringify({ content: "The ferry leaves at ten.", q: "ferry", name: "Another" });
	const others = [
		["POST", "/v3/documents"],
		["POST", "/v3/search"],
		["POST", "/v4/search"],
		["DELETE", "/v3/documents/any"],
		["PATCH", "/v3/settings"],
		["POST", "/v3/organisations"],
		["GET", "/v3/session"],
		["GET", "/v3/events"],
		["POST", "/v3/auth/agent-key"],
	] as const;
	for (const [method, path] of others) {
		const headers = { authorization, "content-type": "application/json" };
		const answer = await ask(path, { method, headers, ...(method === "GET" ? {} : { body }) });
		expect([method, path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([method, path, 404, "ROUTE_MISSING"]);
	}
	for (const headers of [{}, { authorization: "Bearer wrong" }]) expect((await ask("/metrics", { headers })).status).toBe(401);
	const listed = (await (await api.send("POST", "/v3/documents/list", { limit: 1 })).json()) as { pagination: { totalItems: number } };
	expect(listed.pagination.totalItems).toBe(1);
});

test("one that takes requests shows its metrics to an operator alone", async () => {
	expect((await api.send("GET", "/metrics")).status).toBe(200);
	const [own] = nodes.servers;
	expect((await own.app.handle(new Request("http://localhost/metrics"))).status).toBe(401);
	expect((await (await own.app.handle(new Request("http://localhost/ready"))).json()) as object).toMatchObject({ status: "ready", role: "api" });
});

test("a worker whose jobs do not run is not ready", async () => {
	isRunning = false;
	const answer = await ask("/ready");
	expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
	expect(await answer.json()).toMatchObject({ code: "WORKER_STOPPED" });
	isRunning = true;
	expect((await ask("/ready")).status).toBe(200);
});

test("SQLite is used by one server, and says so", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-role-"));
	for (const role of ["api", "worker"]) {
		const { code, printed } = await endedStart(folder, { CAIRN_ROLE: role });
		expect(code).toBe(1);
		expect(printed).toContain("the storage sqlite is used by one server, whose role is all; set CAIRN_STORAGE_URL for more");
	}
	await rm(folder, { recursive: true, force: true });
}, 120_000);

/** The metrics: the names in the documentation and the dashboard are those there are, and nothing is counted before somebody looks. */

import { expect, test } from "bun:test";
import type { Statistics } from "../../../core/ports/storage.ts";
import dashboard from "../../../deploy/cairn-dashboard.json" with { type: "json" };
import { runInContext } from "../../../server/observation/context.ts";
import { createMetrics } from "../../../server/observation/metrics.ts";
import { createObserveRequest } from "../../../server/observation/observe-request.ts";
import { createObserver } from "../../../server/observation/observer.ts";
import { createPrometheus } from "../../../server/observation/prometheus.ts";
import { textOf } from "../../architecture/source.ts";
import { startTestServer } from "../../doubles/test-server.ts";

const statistics: Statistics = {
	jobs: [{ task: "ingest", waiting: 3, running: 2, oldestDueSeconds: 12.5 }],
	documents: { done: 7, failed: 1 },
	databaseBytes: 4_096,
	blobBytes: null,
};
const random = (byteLength: number) => crypto.getRandomValues(new Uint8Array(byteLength));
const clock = { now: () => new Date(), elapsedMs: () => performance.now() };

function metricsOf(observer = createObserver(null)) {
	const metrics = createMetrics({
		observer,
		sandboxProcesses: () => 2,
		storage: { statistics: async () => statistics },
		indexLag: () => ({ qdrant: 1.5 }),
		world: clock,
		workerReport: async () => ({ measurements: [{ kind: "job", name: "merge", seconds: 0.2, isFailed: true }], lagSeconds: 0.25, sandboxProcesses: 4 }),
	});
	return { metrics, observer };
}

test("the documentation lists exactly the metrics there are, with type and labels, and the dashboard shows no other", async () => {
	const prometheus = createPrometheus();
	prometheus.count({ kind: "failure", task: "ingest", code: "INTERNAL" });
	prometheus.count({ kind: "request", route: "/", method: "GET", status: 200, seconds: 1 });
	for (const kind of ["stage", "embed", "search", "leg", "job"] as const) prometheus.count({ kind, name: "x", seconds: 1, isFailed: false });
	const thread = { lagSeconds: 0, sandboxProcesses: 0 };
	const text = await prometheus.text({ statistics: { ...statistics, blobBytes: 1 }, indexLag: { x: 0 }, threads: { server: thread } });
	const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
	const labelsOf = (name: string) => {
		const sample = new RegExp(`^${name}(?:_count)?(?:\\{([^}]*)\\})? `, "m").exec(text)?.[1] ?? "";
		return [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label);
	};
	const rows = [...(await textOf("docs/operations.md")).matchAll(/^\| `((?:cairn|process)_\w+)` \| (\w+) \| ([^|]*)\|/gm)];
	const listed = new Map(rows.map(([, name = "", type = ""]) => [name, type]));
	expect([...listed].toSorted()).toEqual([...types].toSorted());
	for (const [, name = "", , labels = ""] of rows)
		expect(
			[...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
			name,
		).toEqual(labelsOf(name));
	const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/(?:cairn|process)_\w+/g) ?? []));
	expect(shown.length).toBeGreaterThan(15);
	expect(shown.filter((name) => !types.has(name.replace(/_(bucket|count|sum)$/, "")) && !types.has(name))).toEqual([]);
});

test("counts come from the storage and from both threads", async () => {
	const text = await metricsOf().metrics.text();
	for (const line of [
		'cairn_jobs{task="ingest",state="waiting"} 3',
		'cairn_jobs{task="ingest",state="running"} 2',
		'cairn_job_oldest_age_seconds{task="ingest"} 12.5',
		'cairn_documents{status="done"} 7',
		"cairn_database_bytes 4096",
		'cairn_index_lag_seconds{index="qdrant"} 1.5',
		'cairn_sandbox_processes{thread="server"} 2',
		'cairn_sandbox_processes{thread="ingest"} 4',
		'cairn_job_duration_seconds_count{task="merge",outcome="failed"} 1',
	])
		expect(text).toContain(`${line}\n`);
});

test("nothing is measured before the first look", async () => {
	const { metrics, observer } = metricsOf();
	expect(observer.measure).toBeNull();
	await observer.observe("search", "documents", async () => 1);
	expect(await metrics.text()).not.toContain('kind="documents"');
	await observer.observe("search", "documents", async () => 1);
	await observer.observe("search", "memories", () => Promise.reject(new Error("no"))).catch(() => undefined);
	const text = await metrics.text();
	expect(text).toContain('cairn_search_duration_seconds_count{kind="documents",outcome="ok"} 1');
	expect(text).toContain('cairn_search_duration_seconds_count{kind="memories",outcome="failed"} 1');
});

test("a client cannot make up labels, and a request inside of another is not counted again", async () => {
	const { metrics, observer } = metricsOf();
	await metrics.text();
	const observe = createObserveRequest(observer, random);
	const respond = async () => new Response(null, { status: 404 });
	for (let i = 0; i < 50; i++) await observe(new Request(`http://localhost/made-up-${i}`, { method: i % 2 === 0 ? `MADE${i}` : "PROPFIND" }), respond);
	await runInContext({ details: {}, route: "/mcp", trace: null }, () => observe(new Request("http://localhost/v3/search"), respond));
	const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith("cairn_http_requests_total{"));
	// Bun reads an unknown method as GET.
	expect(lines).toEqual(["GET", "other"].map((method) => `cairn_http_requests_total{route="unmatched",method="${method}",status="404"} 25`));
});

test("an administrator reads them, another key does not, and no tenant is named in them", async () => {
	const server = await startTestServer();
	try {
		const admin = await server.client();
		await admin.send("GET", "/metrics");
		const { id } = (await (await admin.send("POST", "/v3/documents", { content: "zanzibarquux", containerTag: "tag-of-a-tenant" })).json()) as {
			readonly id: string;
		};
		await admin.finished(id);
		const response = await admin.send("GET", "/metrics");
		expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
		const text = await response.text();
		expect(text).toContain('route="/v3/documents"');
		for (const secret of ["zanzibarquux", "tag-of-a-tenant", id, admin.key]) expect(text).not.toContain(secret);
		const reader = (await (await admin.send("POST", "/v3/auth/agent-key", { name: "reader", permission: "read" })).json()) as { readonly key: string };
		expect((await server.clientWith(reader.key).send("GET", "/metrics")).status).toBe(403);
	} finally {
		await server.dispose();
	}
});

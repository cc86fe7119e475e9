/** A server as its user has it, observed from outside: one trace from a request to `done`, metrics of both threads, ids in every log line. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collector, startCollector } from "../../doubles/otlp-collector.ts";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";

const token = "a-token-for-prometheus";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const canary = "zanzibarquux";

let collector: Collector;
let server: ServerProcess;
let folder: string;
let requestId: string;
let documentId: string;
let blockedId: string;
let connecting: Response;

async function ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
	return fetch(`${server.address}${path}`, {
		method,
		headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", ...headers },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
}

const readMetrics = async () => (await ask("GET", "/metrics", undefined, { authorization: `Bearer ${token}` })).text();

beforeAll(async () => {
	collector = startCollector();
	folder = await mkdtemp(join(tmpdir(), "cairn-observed-"));
	server = await startServerProcess(folder, {
		OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
		OTEL_SERVICE_NAME: "memory",
		CAIRN_METRICS_TOKEN: token,
		CAIRN_LOG_LEVEL: "debug",
	});
	// The first look begins to count.
	await readMetrics();
	const added = await ask(
		"POST",
		"/v3/documents",
		{ content: `Ottilie keeps the ${canary} in a blue box.`, containerTag: `tag-${canary}`, metadata: { owner: canary } },
		{ traceparent: `00-${traceId}-${spanId}-01` },
	);
	requestId = added.headers.get("x-request-id") ?? "";
	documentId = ((await added.json()) as { readonly id: string }).id;
	await until(async () => ((await (await ask("GET", `/v3/documents/${documentId}`)).json()) as { readonly status: string }).status === "done");
	await ask("POST", "/v3/search", { q: `where is the ${canary}` }, { traceparent: `00-${traceId.replace("0", "1")}-${spanId}-01` });
	await ask("GET", `/v3/documents/${canary}`);
	blockedId = ((await (await ask("POST", "/v3/documents", { content: "http://127.0.0.1:9/private" })).json()) as { readonly id: string }).id;
	await until(async () => ((await (await ask("GET", `/v3/documents/${blockedId}`)).json()) as { readonly status: string }).status === "failed");
	const metadata = {
		bucket: "documents",
		region: "eu-test-1",
		accessKeyId: "AKIAHIDDEN",
		secretAccessKey: "hidden-secret-of-s3",
		endpoint: "http://127.0.0.1:9",
	};
	connecting = await ask("POST", "/v3/connections/s3", { metadata, containerTags: ["a"] });
}, 120_000);
afterAll(async () => {
	await server.kill("SIGKILL");
	await collector.close();
	await rm(folder, { recursive: true, force: true });
});

test("metrics count what both threads did, by route and not by address, and say nothing of tenants", async () => {
	await until(async () => (await readMetrics()).includes('cairn_documents{status="done"} 1'));
	const metrics = await readMetrics();
	expect(metrics).toContain('cairn_http_requests_total{route="/v3/documents",method="POST",status="200"} 2');
	expect(metrics).toContain('cairn_http_requests_total{route="/v3/documents/:id",method="GET",status="404"} 1');
	expect(metrics).toContain('cairn_http_request_duration_seconds_bucket{le="+Inf",route="/v3/search",method="POST"} 1');
	expect(metrics).toContain('cairn_search_duration_seconds_count{kind="documents",outcome="ok"} 1');
	expect(metrics).toContain('cairn_search_leg_duration_seconds_count{leg="words",outcome="ok"} 1');
	for (const stage of ["extracting", "chunking", "embedding", "indexing", "remembering"])
		expect(metrics).toContain(`cairn_stage_duration_seconds_count{stage="${stage}",outcome="ok"} `);
	expect(metrics).toMatch(/cairn_embed_batch_duration_seconds_count\{purpose="document",outcome="ok"\} [1-9]/);
	expect(metrics).toMatch(/cairn_job_duration_seconds_count\{task="ingest",outcome="ok"\} 1/);
	expect(metrics).toContain('cairn_job_duration_seconds_count{task="ingest",outcome="failed"} 1');
	expect(metrics).toContain('cairn_job_failures_total{task="ingest",code="ADDRESS_BLOCKED"} 1');
	expect(metrics).toMatch(/cairn_database_bytes [1-9]\d+/);
	expect(metrics).toMatch(/process_resident_memory_bytes [1-9]\d{7}/);
	for (const thread of ["server", "ingest"]) expect(metrics).toMatch(new RegExp(`cairn_event_loop_lag_seconds\\{thread="${thread}"\\} \\d`));
	for (const tenant of [canary, documentId, requestId, String(server.key).slice(4, 20)]) expect(metrics).not.toContain(tenant);
	// Every line is a comment or a sample.
	for (const line of metrics.split("\n")) expect(line).toMatch(/^$|^# (HELP|TYPE) [a-z_]+ |^[a-z_]+(\{[^{}]*\})? [0-9.e+-]+$/);
});

test("metrics are closed to other keys where a token is set, the administrator's included", async () => {
	for (const authorization of ["", "Bearer wrong-token-of-somebody", `Bearer ${server.key}`])
		expect((await ask("GET", "/metrics", undefined, { authorization })).status, authorization.slice(0, 12)).toBe(401);
});

test("every line of the log that belongs to a request or a job has its id, and no line has a secret", async () => {
	const lines = server
		.printed()
		.split("\n")
		.filter((line) => line.startsWith("{"))
		.map((line) => JSON.parse(line) as Record<string, unknown>);
	const lineOf = (facts: Readonly<Record<string, unknown>>) => lines.find((line) => Object.entries(facts).every(([name, value]) => line[name] === value));
	expect(lineOf({ message: "a document failed" })).toMatchObject({ document: blockedId, job: expect.any(String), code: "ADDRESS_BLOCKED" });
	expect(lineOf({ message: "not fetched", document: blockedId })).toMatchObject({ job: lineOf({ message: "a document failed" })?.["job"] });
	expect(connecting.status).toBe(400);
	expect(lineOf({ message: "not fetched", requestId: connecting.headers.get("x-request-id") })).toBeDefined();
	for (const secret of [token, String(server.key), "hidden-secret-of-s3"]) expect(JSON.stringify(lines)).not.toContain(secret);
});

test("one trace leads from the request over the queue to the stages in the other thread, without content", async () => {
	const isSent = (name: string, trace: string) => collector.spans.some((span) => span.name === name && span.traceId === trace);
	// The library sends what has ended every few seconds, a parent after its children; both threads send for themselves.
	await until(() => isSent("POST /v3/documents", traceId) && isSent("job ingest", traceId) && isSent("POST /v3/search", traceId.replace("0", "1")));
	await until(() => collector.spans.some(({ statusMessage }) => statusMessage === "ADDRESS_BLOCKED"));
	const spans = collector.spans.filter((span) => span.traceId === traceId);
	const named = (name: string) => spans.find((span) => span.name === name);
	const request = named("POST /v3/documents");
	expect(request).toMatchObject({ parentSpanId: spanId, service: "memory", attributes: { "http.response.status_code": 200, "cairn.request_id": requestId } });
	const job = named("job ingest");
	expect(job).toMatchObject({ parentSpanId: request?.spanId, attributes: { "cairn.task": "ingest", "cairn.attempt": 1 } });
	expect(named("queue ingest")?.parentSpanId).toBe(request?.spanId);
	for (const stage of ["extracting", "chunking", "embedding", "indexing", "remembering"])
		expect(named(`stage ${stage}`)?.parentSpanId, stage).toBe(job?.spanId);
	expect(spans.filter(({ name }) => name === "embed document").map(({ parentSpanId }) => parentSpanId)).toContain(named("stage embedding")?.spanId ?? "");
	const searched = collector.spans.filter((span) => span.traceId === traceId.replace("0", "1"));
	const search = searched.find(({ name }) => name === "search documents");
	expect(search?.parentSpanId).toBe(searched.find(({ name }) => name === "POST /v3/search")?.spanId ?? "");
	for (const leg of ["leg words", "leg vectors", "embed query"])
		expect(searched.find(({ name }) => name === leg)?.parentSpanId, leg).toBe(search?.spanId ?? "");
	expect(collector.spans.some(({ name, statusMessage }) => name === "job ingest" && statusMessage === "ADDRESS_BLOCKED")).toBe(true);
	for (const span of spans) expect(span.endedAt, span.name).toBeGreaterThanOrEqual(span.startedAt);
	for (const secret of [canary, "Ottilie", token, String(server.key)]) expect(collector.received()).not.toContain(secret);
}, 120_000);

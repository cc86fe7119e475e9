/** The trace of a job is kept with it: when the server ends while it works and another process goes on, both are in one trace. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collector, startCollector } from "../../doubles/otlp-collector.ts";
import { startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const key = "a-key-that-outlives-the-server";

let collector: Collector;
let folder: string;
/** A page that is not served before it is released. */
let pages: Bun.Server<undefined>;
let asked = 0;
let release: () => void;
beforeAll(async () => {
	collector = startCollector();
	folder = await mkdtemp(join(tmpdir(), "cairn-trace-"));
	const { promise, resolve } = Promise.withResolvers<void>();
	release = resolve;
	pages = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		idleTimeout: 0,
		fetch: async ({ url }) => {
			if (new URL(url).pathname !== "/tides") return new Response(null, { status: 404 });
			asked++;
			await promise;
			return new Response("High water at noon.", { headers: { "content-type": "text/plain" } });
		},
	});
});
afterAll(async () => {
	release();
	await pages.stop(true);
	await collector.close();
	await rm(folder, { recursive: true, force: true });
});

test("a document that one process accepts and another one finishes has one trace", async () => {
	const host = `127.0.0.1:${pages.port}`;
	const env = { CAIRN_API_KEY: key, CAIRN_FETCH_ALLOW: host, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
	const first = await startServerProcess(folder, env);
	const added = await fetch(`${first.address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: `http://${host}/tides` }) });
	const { id } = (await added.json()) as { readonly id: string };
	await until(() => asked > 0);
	expect(await first.kill("SIGTERM")).toBe(0);
	release();
	const second = await startServerProcess(folder, env);
	await until(async () => {
		const document = await fetch(`${second.address}/v3/documents/${id}`, { headers: { authorization: `Bearer ${key}` } });
		return ((await document.json()) as { readonly status: string }).status === "done";
	});
	expect(await second.kill("SIGTERM")).toBe(0);

	const spans = collector.spans.filter((span) => span.traceId === traceId);
	const request = spans.find(({ name }) => name === "POST /v3/documents");
	const jobs = spans.filter(({ name }) => name === "job ingest").toSorted((a, b) => a.startedAt - b.startedAt);
	expect(request?.parentSpanId).toBe("00f067aa0ba902b7");
	// An end of the server does not count as an attempt.
	expect(jobs.map(({ parentSpanId, attributes }) => [parentSpanId, attributes["cairn.attempt"]])).toEqual([
		[request?.spanId ?? "", 1],
		[request?.spanId ?? "", 1],
	]);
	expect(spans.find(({ name }) => name === "stage remembering")?.parentSpanId).toBe(jobs[1]?.spanId ?? "");
}, 120_000);

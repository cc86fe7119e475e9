/** The observer: ids in log lines, and traces that cross processes and survive what a client sends. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asId } from "cairn-memory";
import type { Job, JobId } from "cairn-memory/stores";
import { createLog } from "../../../server/boot/log.ts";
import { runInContext } from "../../../server/observation/context.ts";
import { createObserveRequest } from "../../../server/observation/observe-request.ts";
import { createObserver } from "../../../server/observation/observer.ts";
import { startTracing } from "../../../server/observation/tracing.ts";
import { type Collector, startCollector } from "../../doubles/otlp-collector.ts";

let collector: Collector;
beforeAll(() => {
	collector = startCollector();
});
afterAll(() => collector.close());

const random = (byteLength: number) => crypto.getRandomValues(new Uint8Array(byteLength));
const job = (id: string, trace: string | null = null): Job => ({
	id: asId<JobId>(id),
	organisation: asId("organisationAAAAAAAAAA"),
	task: "ingest",
	subject: "document-1",
	notBefore: new Date(),
	attempt: 1,
	crashes: 0,
	lease: `lease-${id}`,
	trace,
});
const tracingWith = (sampler: "parentbased_always_on" | "always_off" = "parentbased_always_on") =>
	startTracing({ endpoint: collector.endpoint, service: "test", sampler, samplerArgument: 1 }, () => undefined);

function logLines() {
	const lines: string[] = [];
	return { log: createLog({ level: "debug", format: "json", write: (line) => lines.push(line) }), lines: () => lines.map((line) => JSON.parse(line)) };
}

test("a line has the id of its request, of its job and its document, and none outside of them", async () => {
	const { log, lines } = logLines();
	const observer = createObserver(null);
	log("info", "outside");
	await createObserveRequest(observer, random)(new Request("http://localhost/"), async () => {
		await Bun.sleep(1);
		log("info", "inside", { bytes: 3 });
		return new Response();
	});
	await observer.runJob(job("job-1"), async () => {
		await Bun.sleep(1);
		log("info", "at work");
	});
	expect(lines().map(({ at: _at, level: _level, ...facts }) => facts)).toEqual([
		{ message: "outside" },
		{ message: "inside", requestId: expect.stringMatching(/^[\w-]{12}$/), bytes: 3 },
		{ message: "at work", job: "job-1", document: "document-1" },
	]);
});

test("ids do not get into one another's lines", async () => {
	const { log, lines } = logLines();
	const observer = createObserver(null);
	const work = async (id: string) =>
		observer.runJob(job(id), async () => {
			for (let i = 0; i < 5; i++) {
				await Bun.sleep(1);
				log("info", id);
			}
		});
	await Promise.all(["job-a", "job-b", "job-c"].map(work));
	expect(lines().length).toBe(15);
	for (const { message, job: inLine } of lines()) expect(inLine).toBe(message);
});

test("a job is part of the trace it was created in, wherever it runs", async () => {
	const [api, worker] = [createObserver(tracingWith()), createObserver(tracingWith())];
	expect(api.traceparent()).toBeNull();
	let trace: string | null = null;
	await createObserveRequest(api, random)(new Request("http://localhost/", { method: "POST" }), async () => {
		trace = api.traceparent();
		return new Response();
	});
	await worker.runJob(job("job-2", trace), async () => worker.jobFailed(job("job-2"), "INTERNAL"));
	await Promise.all([api.tracing?.close(), worker.tracing?.close()]);
	const request = collector.spans.find(({ name }) => name === "POST unmatched");
	expect(collector.spans.find(({ name }) => name === "job ingest")).toMatchObject({
		traceId: request?.traceId,
		parentSpanId: request?.spanId,
		statusMessage: "INTERNAL",
	});
});

test("a traceparent that is none begins a new trace, and one that is not sampled records nothing", async () => {
	const observer = createObserver(tracingWith());
	const observe = createObserveRequest(observer, random);
	const id = "c".repeat(32);
	const sent = [
		`00-${"0".repeat(32)}-${"b".repeat(16)}-01`,
		`00-${id}-${"0".repeat(16)}-01`,
		`01-${id}-${"b".repeat(16)}-01`,
		"x".repeat(10_000),
		`00-${id}-${"b".repeat(16)}-00`,
	];
	const named: (string | null)[] = [];
	for (const [i, traceparent] of sent.entries())
		await observe(new Request(`http://localhost/${i}`, { method: "PUT", headers: { traceparent } }), async () => {
			named.push(observer.traceparent());
			return new Response();
		});
	const anew = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
	expect(named).toEqual([anew, anew, anew, anew, null]);
	await observer.tracing?.close();
	const spans = collector.spans.filter(({ name }) => name === "PUT unmatched");
	expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([null, null, null, null]);
	expect(spans.map(({ traceId }) => traceId)).not.toContain(id);
});

test("the message of an error, which may quote content, is in no span", async () => {
	const observer = createObserver(tracingWith());
	await observer.observe("stage", "chunking", () => Promise.reject(new Error("the secret text"))).catch(() => undefined);
	await observer.tracing?.close();
	expect(collector.spans.find(({ name }) => name === "stage chunking")?.statusMessage).toBe("INTERNAL");
	expect(collector.received()).not.toContain("the secret text");
});

test("nothing is recorded where the sampler says so, and work goes on without a collector", async () => {
	const off = createObserver(tracingWith("always_off"));
	expect(await off.observe("stage", "indexing", async () => 7)).toBe(7);
	await off.tracing?.close();
	expect(collector.spans.some(({ name }) => name === "stage indexing")).toBe(false);
	const reported: string[] = [];
	const away = startTracing({ endpoint: "http://127.0.0.1:9", service: "test", sampler: "always_on", samplerArgument: 1 }, (_level, message) =>
		reported.push(message),
	);
	expect(await runInContext({ details: {}, route: null, trace: null }, () => away.span("stage indexing", {}, async () => 8))).toBe(8);
	await away.close();
}, 30_000);

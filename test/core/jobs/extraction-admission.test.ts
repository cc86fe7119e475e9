/** What is long does not wait in memory, and says that it makes room for others. */

import { expect, test } from "bun:test";
import { limits } from "cairn-memory";
import type { ExtractedDocument } from "../../../core/ingest/stage-results.ts";
import { createAdmissions } from "../../../core/jobs/extraction-admission.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const never = new AbortController().signal;
const document = { content: { kind: "text", text: "", mediaType: "text/plain" } } as unknown as ExtractedDocument["document"];
const extractedOf = (length: number) => ({ document, mediaType: "text/plain", extraction: { text: "a".repeat(length) } }) as unknown as ExtractedDocument;

test("a long text is read again when its turn comes", async () => {
	const begin = createAdmissions(createTestWorld());
	const [first, second] = [begin(), begin()];
	let readings = 0;
	const extract = async () => {
		readings++;
		return extractedOf(limits.charactersInFlightMax);
	};
	await first.run(document, never, extract);
	const later = second.run(document, never, extract);
	await settle();
	expect(readings).toBe(2);
	first.end();
	expect((await later).extraction.text).toHaveLength(limits.charactersInFlightMax);
	expect(readings).toBe(3);
	second.end();
});

test("a reading is long after two seconds, until it is over", async () => {
	const world = createTestWorld();
	const reading = createAdmissions(world)();
	const gateway = Promise.withResolvers<ExtractedDocument>();
	const run = reading.run(document, never, () => gateway.promise);
	await settle();
	expect(reading.isWaiting()).toBe(false);
	world.advance(2_000);
	expect(reading.isWaiting()).toBe(true);
	gateway.resolve(extractedOf(1));
	await run;
	expect(reading.isWaiting()).toBe(false);
});

test("of what is heavy so many are in hand at once, the next waits, and what is light does not", async () => {
	const begin = createAdmissions(createTestWorld());
	const heavy = Array.from({ length: limits.concurrentHeavyDocumentsMax + 2 }, () => begin());
	const begun: number[] = [];
	for (const [i, reading] of heavy.entries()) void reading.begin(true, never).then(() => begun.push(i));
	await settle();
	const last = limits.concurrentHeavyDocumentsMax;
	expect([begun.length, heavy[0]?.isWaiting(), heavy[last]?.isWaiting()]).toEqual([last, false, true]);
	await begin().begin(false, never);
	heavy[3]?.end();
	heavy[3]?.end();
	await settle();
	expect([begun.at(-1), begun.length]).toEqual([last, last + 1]);
	heavy[4]?.releasePlace();
	heavy[4]?.end();
	await settle();
	expect([begun.at(-1), begun.length]).toEqual([last + 1, last + 2]);
});

test("who is read for long gives its place to the next", async () => {
	const world = createTestWorld();
	const begin = createAdmissions(world);
	const long = Array.from({ length: limits.concurrentHeavyDocumentsMax }, () => begin());
	const gateway = Promise.withResolvers<ExtractedDocument>();
	const runs: Promise<ExtractedDocument>[] = [];
	for (const reading of long) {
		await reading.begin(true, never);
		runs.push(reading.run(document, never, () => gateway.promise));
	}
	let isBegun = false;
	void begin()
		.begin(true, never)
		.then(() => {
			isBegun = true;
		});
	world.advance(1_999);
	await settle();
	expect(isBegun).toBe(false);
	world.advance(1);
	await settle();
	expect(isBegun).toBe(true);
	gateway.resolve(extractedOf(1));
	await Promise.all(runs);
});

/** Many documents in hand at once: what is heavy keeps to its places, and the embedder is not asked by all of them. */

import { expect, test } from "bun:test";
import { asId, type Embedder, type Extractor, limits, type MemoryExtractor, type OrganisationId } from "cairn-memory";
import { type NewJob, wholeOrganisation } from "cairn-memory/stores";
import { receive } from "../../../core/ingest/receive.ts";
import { ingestHandler } from "../../../core/jobs/ingest-handler.ts";
import { rememberHandler } from "../../../core/jobs/remember-handler.ts";
import type { Parts } from "../../../core/parts.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { newJob } from "../../../core/runtime/new-job.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "superrag", dreaming: "instant" } as const;
const long = "the lamp is lit. ".repeat(Math.ceil(limits.lightCharactersMax / 17) + 1);

/** Adds the texts, and begins all of them. */
async function begun(parts: Parts, texts: readonly string[]) {
	const tenant = parts.storage.organisation(organisation);
	for (const text of texts) await receive({ ...request, content: { kind: "text", text, mediaType: "text/plain" } }, organisation, tenant, parts.world);
	const handler = ingestHandler(parts, createKeyedMutex());
	const attempts = (await parts.storage.jobs.claim("w", ["ingest"], 1_000, parts.world.now(), 1_000)).map((job) => handler(job));
	let done = 0;
	const next: NewJob[] = [];
	const ended = attempts.map(async (attempt) => {
		await attempt.run(new AbortController().signal);
		next.push(...((await attempt.next?.()) ?? []));
		done++;
	});
	return { attempts, next, done: () => done, all: () => Promise.all(ended) };
}

test("long texts are read by so many at a time, and neither these nor those that wait keep a note from its place", async () => {
	const parts = createTestParts(createTestWorld());
	const gateway = Promise.withResolvers<void>();
	let read = 0;
	const slow = (extractor: Extractor): Extractor => ({
		...extractor,
		extract: async (source, step) => {
			if ((source.text ?? "").length > limits.lightCharactersMax) {
				read++;
				await gateway.promise;
			}
			return extractor.extract(source, step);
		},
	});
	const texts = [...Array.from({ length: 20 }, (_, i) => `${long} ${i}`), ...Array.from({ length: 30 }, (_, i) => `note ${i}`)];
	const { attempts, next, done, all } = await begun({ ...parts, extractors: parts.extractors.map(slow) }, texts);
	await settle(300);
	expect([read, done()]).toEqual([limits.concurrentHeavyDocumentsMax, 30]);
	expect(attempts.filter((attempt) => attempt.isWaiting?.() === true)).toHaveLength(20);
	gateway.resolve();
	await all();
	expect(read).toBe(20);
	expect(next.map(({ task, subject }) => `${task} ${subject}`)).toEqual(Array.from({ length: 50 }, () => "remember home"));
});

test("the embedder is asked for so many batches at a time", async () => {
	const parts = createTestParts(createTestWorld());
	let asking = 0;
	let most = 0;
	const embedder: Embedder = {
		...parts.embedder,
		embed: async (texts, purpose, step) => {
			most = Math.max(most, ++asking);
			await settle(3);
			asking--;
			return parts.embedder.embed(texts, purpose, step);
		},
	};
	const { all, done } = await begun(
		{ ...parts, embedder },
		Array.from({ length: 60 }, (_, i) => `note ${i}`),
	);
	await all();
	expect([most, done()]).toEqual([limits.concurrentEmbeddingsMax, 60]);
});

test("the job of its container leaves a document with instant dreaming alone while its own job extracts its memories", async () => {
	const parts = createTestParts(createTestWorld());
	const extracting = Promise.withResolvers<void>();
	const gateway = Promise.withResolvers<void>();
	let extractions = 0;
	const slow = (inner: MemoryExtractor): MemoryExtractor => ({
		...inner,
		extract: async (input, step) => {
			extractions++;
			extracting.resolve();
			await gateway.promise;
			return inner.extract(input, step);
		},
	});
	const { storage, world } = parts;
	const slowParts = { ...parts, memoryExtractors: parts.memoryExtractors.slice(0, 1).map(slow) };
	const tenant = storage.organisation(organisation);
	const content = { kind: "text", text: "Ana is tall", mediaType: "text/plain" } as const;
	await receive({ ...request, taskType: "memory", content }, organisation, tenant, world);
	const signal = new AbortController().signal;
	const [ingestJob] = await storage.jobs.claim("w", ["ingest"], 1, world.now(), 1_000);
	const ingesting = ingestJob === undefined ? undefined : ingestHandler(slowParts, createKeyedMutex())(ingestJob).run(signal);
	await extracting.promise;
	// The job that another document of the container has left behind; it may run in another process.
	await storage.jobs.add(newJob("remember", "home", organisation, world));
	const [rememberJob] = await storage.jobs.claim("w", ["remember"], 1, world.now(), 1_000);
	const remembering = rememberJob === undefined ? undefined : rememberHandler(slowParts, createKeyedMutex())(rememberJob).run(signal);
	await settle(300);
	gateway.resolve();
	await Promise.all([ingesting, remembering]);
	const page = { offset: 0, limit: 10, sort: "createdAt", order: "asc" } as const;
	const { memories } = await tenant.memories.list(wholeOrganisation, true, page);
	expect(memories.map(({ text }) => text)).toEqual(["Ana is tall"]);
	expect(extractions).toBe(1);
});

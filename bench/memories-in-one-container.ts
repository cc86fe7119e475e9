/**
 * What drawing the memories of a note costs when its container has many: `bun bench/memories-in-one-container.ts 20000 60000 120000`. All in
 * one container of one process; before each row the container is filled up with sentences of notes, and then the memories of 300 more notes
 * are drawn on this thread. With `--cpu-prof` the profile shows where the time goes.
 */

import { ingestHandler } from "../core/jobs/ingest-handler.ts";
import { rememberHandler } from "../core/jobs/remember-handler.ts";
import { createStep } from "../core/language/step.ts";
import { type MemoryId, newId, type OrganisationId } from "../core/model/id.ts";
import type { Memory } from "../core/model/memory.ts";
import { wholeOrganisation } from "../core/model/scope.ts";
import type { Parts } from "../core/parts.ts";
import { defaultBuckets, sortMemories } from "../core/profile/buckets.ts";
import { createKeyedMutex } from "../core/runtime/keyed-mutex.ts";
import { createService } from "../core/service.ts";
import { openLaboratory } from "../server/evaluation/laboratory.ts";
import { createSentences, createWriter } from "./notes.ts";

const sizes = process.argv.slice(2).map(Number);
const notes = 300;
/** They come before the clock runs, since the first search reads what was filled in. */
const warmUp = 40;
const containerTag = "one";
const memoriesPerSave = 500;
const leaseMs = 3_600_000;
const signal = new AbortController().signal;

await using laboratory = await openLaboratory({});
const { parts } = laboratory;
const organisation = await addOrganisation(parts);
const tenant = parts.storage.organisation(organisation);
const step = createStep(parts.world, signal);
const service = createService(parts, { notify: () => undefined });
const handlers = { ingest: ingestHandler(parts, createKeyedMutex()), remember: rememberHandler(parts, createKeyedMutex()) };
const [nextSentence, writer] = [createSentences(21), createWriter(22)];

console.log("| memories in the container | memories drawn of 300 notes | a note | processor time of this thread | of the process |\n|---|---|---|---|---|");
for (const size of sizes) {
	await fill(size);
	await draw(warmUp);
	const before = await count();
	const { ms, thread, all } = await draw(notes);
	const cells = [ms, thread, all].map((spent) => `${(spent / notes).toFixed(2)} ms`);
	console.log(`| ${before} | ${(await count()) - before} | ${cells.join(" | ")} |`);
}

async function addOrganisation({ storage, world }: Parts): Promise<OrganisationId> {
	const id = newId<OrganisationId>(world.randomBytes);
	await storage.accounts.addOrganisation({ id, name: "bench", slug: "bench", createdAt: world.now() });
	return id;
}

function count(): Promise<number> {
	return tenant.memories.count({ scope: { ...wholeOrganisation, containerTags: [containerTag] }, includeForgotten: false, now: parts.world.now() });
}

/** Adds memories as if a client had written them, until there are so many. */
async function fill(size: number): Promise<void> {
	let missing = size - (await count());
	while (missing > 0) {
		const texts = Array.from({ length: memoriesPerSave }, nextSentence).slice(0, missing);
		const vectors = await parts.embedder.embed(texts, "document", step);
		await tenant.memories.save(
			parts.embedder.space,
			vectors.map((vector, i) => ({ memory: memoryOf(texts[i] ?? ""), vector })),
			[],
		);
		await sortMemories(containerTag, defaultBuckets, memoriesPerSave, { tenant, embedder: parts.embedder, others: [] }, step);
		missing -= texts.length;
	}
	await parts.storage.maintain(signal);
}

function memoryOf(text: string): Memory {
	const now = parts.world.now();
	return {
		...{ id: newId<MemoryId>(parts.world.randomBytes, now), text, subject: null, isStatic: false, isInference: false, confidence: 1 },
		...{ containerTag, version: 1, parent: null, root: null, isLatest: true, isForgotten: false, forgetReason: null, forgetAfter: null },
		...{ eventTime: null, evidence: [], metadata: {}, extractor: null, createdAt: now, updatedAt: now },
	};
}

/** Adds notes, makes them searchable, and draws their memories. @returns what the drawing took, in milliseconds. */
async function draw(total: number): Promise<{ readonly ms: number; readonly thread: number; readonly all: number }> {
	for (let i = 0; i < total; i++) {
		const { content: text, customId, metadata } = writer.note();
		const request = { customId, containerTags: [containerTag], metadata, filepath: null, taskType: "memory", dreaming: "dynamic" } as const;
		await service.add({ organisation, role: "write", grants: null }, { ...request, content: { kind: "text", text, mediaType: "text/plain" } });
	}
	await runAll("ingest");
	const [began, thread, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
	await runAll("remember");
	const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
	return { ms: performance.now() - began, thread: msOf(process.threadCpuUsage(thread)), all: msOf(process.cpuUsage(all)) };
}

/** Runs the jobs of a task, one at a time, until none is left. */
async function runAll(task: "ingest" | "remember"): Promise<void> {
	const { jobs } = parts.storage;
	for (;;) {
		const claimed = await jobs.claim("bench", [task], 64, parts.world.steadyNow(), leaseMs);
		if (claimed.length === 0) return;
		for (const job of claimed) {
			const attempt = handlers[task](job);
			await attempt.run(signal);
			await jobs.finish(job, (await attempt.next?.()) ?? []);
		}
	}
}

/** A document that ends the process which extracts its memories: it is given up after a limited number of crashes, and all others have theirs. */

import { expect, test } from "bun:test";
import { limits, type MemoryExtractor } from "cairn-memory";
import { type Document, wholeOrganisation } from "cairn-memory/stores";
import { rememberHandler } from "../../../core/jobs/remember-handler.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { newJob } from "../../../core/runtime/new-job.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const poison = "Nix is poison";

test("the memories of what crashes are given up, and those of everything else in its container are there", async () => {
	const world = createTestWorld();
	let die = () => {};
	/** A process that has ended never answers. */
	const extract: MemoryExtractor["extract"] = (input, step) => {
		if (!input.chunks.some(({ text }) => text === poison)) return sound.extract(input, step);
		die();
		return Promise.withResolvers<never>().promise;
	};
	const parts = createTestParts(world, { memoryExtractors: [{ name: "is", extract }] });
	const [sound = { name: "none", extract: async () => [] }] = createTestParts(world).memoryExtractors;
	const { jobs } = parts.storage;
	const samples = createSamples(31);
	const tenant = parts.storage.organisation(sampleOrganisation);

	async function publish(text: string): Promise<void> {
		const document = samples.makeDocument({
			publishedRevision: null,
			containerTags: ["home"],
			dreaming: "dynamic",
			dreamingStatus: "dreaming",
			status: "done",
		});
		await tenant.documents.add(document, samples.makeJob(document));
		const [vector = new Float32Array(27)] = await lettersEmbedder.embed([text], "document", createStep());
		const chunk = samples.makeChunk(document, { text, indexedText: text, position: 0 });
		await tenant.documents.stage(document.id, document.revision, lettersEmbedder.space, [{ chunk, vector }]);
		await tenant.documents.publish(document.id, document.revision, world.now());
		await jobs.add(newJob("remember", "home", sampleOrganisation, world));
	}

	/** A new process claims the job and goes on until it is done or dead. */
	async function processJob(): Promise<"idle" | "done" | "dead"> {
		const [job] = await jobs.claim("w", ["remember"], 10, world.now(), 1_000_000);
		if (job === undefined) return "idle";
		const dead = new Promise<"dead">((resolve) => {
			die = () => resolve("dead");
		});
		const attempt = rememberHandler(parts, createKeyedMutex())(job);
		const how = await Promise.race([dead, attempt.run(new AbortController().signal).then(() => "done" as const)]);
		if (how === "done") await jobs.finish(job);
		else await jobs.recover("w", world.now(), samples.newId);
		return how;
	}

	for (const name of ["Ada", "Bo", "Cem"]) await publish(`${name} is here`);
	await publish(poison);
	await publish("Dot is here");
	let deaths = 0;
	for (let how = await processJob(); how !== "idle" && deaths <= limits.crashesMax; how = await processJob()) {
		if (how === "dead") deaths++;
		// A container goes on getting documents, which is no reason to begin to count again.
		if (deaths === 4 && how === "dead") await publish("Eve is late");
	}
	expect(deaths).toBe(limits.crashesMax);
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;
	const { documents } = await tenant.documents.list(wholeOrganisation, ["done"], page, true);
	const warnings = await Promise.all(
		documents.map(async ({ id }) => [await textOf(id), (await tenant.documents.get(id))?.findings.warnings.map(({ code }) => code)]),
	);
	expect(warnings.filter(([, codes]) => codes?.length !== 0)).toEqual([[poison, ["MEMORIES_FAILED"]]]);
	expect(documents.filter(({ dreamingStatus }) => dreamingStatus !== "done")).toEqual([]);
	const { memories } = await tenant.memories.list(wholeOrganisation, true, page);
	expect(memories.map(({ text }) => text).toSorted()).toEqual(["Ada is here", "Bo is here", "Cem is here", "Dot is here", "Eve is late"]);

	async function textOf(id: Document["id"]): Promise<string | undefined> {
		return (await tenant.documents.chunksOf(id))[0]?.text;
	}
});

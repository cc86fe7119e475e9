/** A document that ends the process which extracts its memories: it is given up after a limited number of crashes, and all others have theirs. */

import { expect, test } from "bun:test";
import { fail, limits, type MemoryExtractor } from "cairn-memory";
import { crashPauseMs, type Document, wholeOrganisation } from "cairn-memory/stores";
import { rememberHandler } from "../../../core/jobs/remember-handler.ts";
import { createModelGateway } from "../../../core/language/model-gateway.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { newJob } from "../../../core/runtime/new-job.ts";
import { createSamples, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { createStep } from "../../doubles/step.ts";
import { createTestWorld } from "../../doubles/world.ts";

const tokens = { tokensPerDay: null, containerTokensPerDay: null, keyTokensPerDay: null, prices: null };
/** One that is listed, and used for nothing. */
const idlePolicy = { uses: [], callsPerDocumentMax: 1, concurrentCallsMax: 1, timeoutMs: 1_000, ...tokens };

/**
 * A container and processes that extract the memories of its documents; one in which `isDeadly` says yes to a text ends there. With
 * `isRefused` there is a language model, which is away for such texts.
 */
function openContainer(isDeadly: (text: string) => boolean, isRefused?: (text: string) => boolean) {
	const world = createTestWorld();
	let die = () => {};
	/** A process that has ended never answers. */
	const extract: MemoryExtractor["extract"] = async (input, step) => {
		if (input.chunks.some(({ text }) => isRefused?.(text))) throw fail("MODEL_UNAVAILABLE", "m", "it says nothing").after(1_000);
		if (!input.chunks.some(({ text }) => isDeadly(text))) return sound.extract(input, step);
		die();
		return Promise.withResolvers<never>().promise;
	};
	const model = { name: "m", model: "1", generate: () => Promise.reject(new Error("nobody asks it")) };
	const modelGateway = isRefused === undefined ? null : createModelGateway(model, idlePolicy, (text) => text, world);
	const parts = createTestParts(world, { memoryExtractors: [{ name: "is", extract }], modelGateway });
	const [sound = { name: "none", extract: async () => [] }] = createTestParts(world).memoryExtractors;
	const { jobs } = parts.storage;
	const samples = createSamples(31);
	const tenant = parts.storage.organisation(sampleOrganisation);
	const page = { offset: 0, limit: 100, sort: "createdAt", order: "asc" } as const;

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

	let handler = rememberHandler(parts, createKeyedMutex());

	/** A process claims the job and goes on until it is done, has failed or is dead; then it is another process. */
	async function processJob(): Promise<"idle" | "done" | "dead" | "failed"> {
		const [job] = await jobs.claim("w", ["remember"], 10, world.now(), 1_000_000);
		if (job === undefined) return "idle";
		const dead = new Promise<"dead">((resolve) => {
			die = () => resolve("dead");
		});
		const attempt = handler(job);
		const failed = async (thrown: unknown) => {
			await attempt.onFailure(thrown, world.now());
			await jobs.retry(job, world.now(), "it failed", true);
			return "failed" as const;
		};
		const how = await Promise.race([dead, attempt.run(new AbortController().signal).then(() => "done" as const, failed)]);
		if (how === "done") await jobs.finish(job);
		if (how === "dead") {
			handler = rememberHandler(parts, createKeyedMutex());
			await jobs.recover("w", world.now(), samples.newId);
			world.advance(crashPauseMs(job.crashes + 1));
		}
		return how;
	}

	/** Of all documents, whose memories must have been extracted or given up. */
	async function warnings() {
		const { documents } = await tenant.documents.list(wholeOrganisation, ["done"], page, true);
		expect(documents.filter(({ dreamingStatus }) => dreamingStatus !== "done")).toEqual([]);
		const all = await Promise.all(
			documents.map(async ({ id }) => [await textOf(id), (await tenant.documents.get(id))?.findings.warnings.map(({ code }) => code)]),
		);
		return all.filter(([, codes]) => codes?.length !== 0);
	}

	async function textOf(id: Document["id"]): Promise<string | undefined> {
		return (await tenant.documents.chunksOf(id))[0]?.text;
	}

	const memories = async () => (await tenant.memories.list(wholeOrganisation, true, page)).memories.map(({ text }) => text).toSorted();
	return { publish, processJob, warnings, memories };
}

test("the memories of what crashes are given up, and those of everything else in its container are there", async () => {
	const poison = "Nix is poison";
	const { publish, processJob, warnings, memories } = openContainer((text) => text === poison);
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
	expect(await warnings()).toEqual([[poison, ["MEMORIES_FAILED"]]]);
	expect(await memories()).toEqual(["Ada is here", "Bo is here", "Cem is here", "Dot is here", "Eve is late"]);
});

test("processes that ended at one document of a container count for no other", async () => {
	const deaths = new Map<string, number>();
	const isDeadly = (text: string) => {
		const times = deaths.get(text) ?? 0;
		if (times === limits.crashesBesideOthersMax + 1) return false;
		deaths.set(text, times + 1);
		return true;
	};
	const { publish, processJob, warnings, memories } = openContainer(isDeadly);
	const texts = ["Ada", "Bo", "Cem", "Dot", "Eve"].map((name) => `${name} is here`);
	for (const text of texts) await publish(text);
	while ((await processJob()) !== "idle");
	expect(await warnings()).toEqual([]);
	expect(await memories()).toEqual(texts);
});

test("after crashes, too, a document for which the model is always away keeps no other waiting", async () => {
	let killsLeft = limits.crashesBesideOthersMax + 1;
	const isKilled = () => killsLeft > 0 && killsLeft-- > 0;
	let isAway = true;
	const { publish, processJob, warnings, memories } = openContainer(isKilled, (text) => isAway && killsLeft === 0 && text === "Ada is here");
	const texts = ["Ada", "Bo", "Cem", "Dot"].map((name) => `${name} is here`);
	for (const text of texts) await publish(text);
	for (let turns = 0; turns < 40; turns++) await processJob();
	expect(await memories()).toEqual(texts.slice(1));
	isAway = false;
	while ((await processJob()) !== "idle");
	expect(await warnings()).toEqual([]);
	expect(await memories()).toEqual(texts);
});

test("what crashes while an older document waits for the model is given up, and not the older one", async () => {
	const poison = "Bo is poison";
	let isAway = true;
	const { publish, processJob, warnings, memories } = openContainer(
		(text) => text === poison,
		(text) => isAway && text === "Ada is here",
	);
	for (const text of ["Ada is here", poison, "Cem is here"]) await publish(text);
	let deaths = 0;
	for (let turns = 0; turns < 60; turns++) if ((await processJob()) === "dead") deaths++;
	expect(deaths).toBe(limits.crashesMax);
	expect(await memories()).toEqual(["Cem is here"]);
	isAway = false;
	while ((await processJob()) !== "idle");
	expect(await warnings()).toEqual([[poison, ["MEMORIES_FAILED"]]]);
	expect(await memories()).toEqual(["Ada is here", "Cem is here"]);
});

test("what crashes after it has waited for the model is given up, and not the next one", async () => {
	let isAway = true;
	const isPoison = (text: string) => text === "Ada is poison";
	const { publish, processJob, warnings, memories } = openContainer(isPoison, (text) => isAway && isPoison(text));
	for (const text of ["Ada is poison", "Bo is here", "Cem is here"]) await publish(text);
	expect(await processJob()).toBe("failed");
	isAway = false;
	let deaths = 0;
	for (let how = await processJob(); how !== "idle" && deaths <= limits.crashesMax; how = await processJob()) if (how === "dead") deaths++;
	expect(deaths).toBe(limits.crashesMax);
	expect(await warnings()).toEqual([["Ada is poison", ["MEMORIES_FAILED"]]]);
	expect(await memories()).toEqual(["Bo is here", "Cem is here"]);
});

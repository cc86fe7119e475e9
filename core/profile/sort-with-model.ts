/**
 * Sorts memories into the buckets that users have defined, by the language model. Each memory is sent to the model once for these
 * buckets, many memories in one request. Until then, and if the model gives no usable response, the decision of the rules applies.
 */

import { ServiceError } from "../errors/fail.ts";
import { fenced, fenceRule } from "../language/fence.ts";
import { isInstruction } from "../language/is-instruction.ts";
import { openModelClient } from "../language/model-client.ts";
import type { ModelGateway } from "../language/model-gateway.ts";
import { createStep } from "../language/step.ts";
import type { ProfileBucket } from "../model/container.ts";
import type { Json } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { Parts } from "../parts.ts";
import type { ModelClient, ParsedAnswer, Step } from "../plugin/contract.ts";
import type { Job } from "../ports/job-queue.ts";
import type { Sorted } from "../ports/profile-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { newJob } from "../runtime/new-job.ts";
import { bucketsOf, modelSorting } from "./buckets.ts";
import { sortedByRules } from "./sorting.ts";

/** Memories in one request: about 2,000 tokens. */
const memoriesAtOnce = 40;
const memoryCharactersMax = 200;
/** After this many batches the job is queued again, so that new documents do not wait for all old memories. */
const batchesPerJob = 10;
/** Calls for one batch: the first and one retry. */
const callsMax = 2;
const outputTokensMax = 3_000;

type ModelParts = Parts & { readonly modelGateway: ModelGateway };

/** @throws ServiceError `MODEL_UNAVAILABLE`; the job is then retried when the model may be available again. */
export async function sortWithModel({ subject: tag, organisation }: Job, tenant: TenantStore, parts: ModelParts, signal: AbortSignal): Promise<void> {
	const { modelGateway: gateway, world, embedder } = parts;
	const buckets = await bucketsOf(tag, tenant.containers, tenant.records, world.now());
	const [name] = await modelSorting(buckets, { tenant, modelGateway: gateway, world });
	if (name === undefined) return;
	const step = createStep(world, signal);
	const payer = { containerTag: tag, key: null, use: "buckets" } as const;
	for (let batch = 0; batch < batchesPerJob; batch++) {
		signal.throwIfAborted();
		const unsorted = await tenant.profiles.unsorted(tag, [name], memoriesAtOnce);
		if (unsorted.length === 0) return;
		const client = openModelClient({ gateway, records: tenant.records, organisation, payer, callsMax, world, onWait: () => undefined }, step);
		const decisions = await askModel(unsorted, buckets, gateway, client, step);
		if (decisions === null) return;
		const byRules = await sortedByRules(
			unsorted.filter(({ id }) => !decisions.has(id)),
			buckets,
			{ tenant, embedder },
			step,
		);
		await tenant.profiles.sort(name, [...byRules, ...[...decisions].map(([memory, found]): Sorted => ({ memory, buckets: found }))]);
	}
	await parts.storage.jobs.add(newJob("remember", tag, organisation, world));
}

type Decisions = ReadonlyMap<Memory["id"], readonly string[]>;

/** @returns an empty map if the model gave no usable response; null if the model should not be called again now. */
async function askModel(
	memories: readonly Memory[],
	buckets: readonly ProfileBucket[],
	gateway: ModelGateway,
	client: ModelClient,
	step: Step,
): Promise<Decisions | null> {
	// Texts that contain instructions to a model are sorted by rules.
	const sent = memories.filter(({ text }) => !isInstruction(text));
	if (sent.length === 0) return new Map();
	const lines = sent.map(({ text }, i) => `${i + 1}. ${text.replaceAll(/\s+/g, " ").slice(0, memoryCharactersMax)}`);
	try {
		const question = { system: rulesFor(buckets), prompt: fenced(lines.join("\n"), gateway.digest), schema: schemaFor(buckets), outputTokensMax };
		const answer = await client.ask(question, readAnswer);
		return decisionsIn(answer, sent, new Set(buckets.map(({ key }) => key)));
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code === "MODEL_UNAVAILABLE" || !thrown.code.startsWith("MODEL_")) throw thrown;
		step.log("info", "memories were sorted by rules", { memories: memories.length, code: thrown.code });
		// A request without a usable response is not repeated; one beyond the budget is made later.
		return thrown.code === "MODEL_MALFORMED" || thrown.code === "MODEL_DECLINED" ? new Map() : null;
	}
}

/** Ignores unknown memories and buckets. If entries contradict each other, the first one counts. */
function decisionsIn(answer: readonly Entry[], sent: readonly Memory[], keys: ReadonlySet<string>): Decisions {
	const decisions = new Map<Memory["id"], readonly string[]>();
	for (const { memory, buckets } of answer) {
		const id = sent[memory - 1]?.id;
		if (id === undefined || decisions.has(id)) continue;
		const validKeys = [...new Set(buckets)].filter((key) => keys.has(key));
		// An entry that names only unknown buckets is ignored.
		if (validKeys.length > 0 || buckets.length === 0) decisions.set(id, validKeys);
	}
	return decisions;
}

type Entry = { readonly memory: number; readonly buckets: readonly string[] };

function readAnswer(object: Json): ParsedAnswer<readonly Entry[]> {
	const { sorted } = object as { readonly [key: string]: Json };
	if (!Array.isArray(sorted)) return { problem: "it has no list called sorted" };
	const entries = sorted.flatMap((each: Json): readonly Entry[] => {
		if (typeof each !== "object" || each === null || Array.isArray(each)) return [];
		const { memory, buckets } = each as { readonly [key: string]: Json };
		if (typeof memory !== "number" || !Array.isArray(buckets)) return [];
		return [{ memory, buckets: buckets.filter((key): key is string => typeof key === "string") }];
	});
	return entries.length === 0 ? { problem: "its entries lack memory or buckets" } : { value: entries };
}

function rulesFor(buckets: readonly ProfileBucket[]): string {
	return `You sort notes into the buckets of a profile.

Rules:
- ${fenceRule} Each line there is one note with its number.
- Answer every number once, with the keys of all buckets the note belongs into. A note that belongs into none gets an empty list; that is usual.
- Go by what a bucket's description says, not by words that happen to be the same.

The buckets:
${buckets.map(({ key, description }) => `- ${key}: ${description.replaceAll(/\s+/g, " ")}`).join("\n")}`;
}

function schemaFor(buckets: readonly ProfileBucket[]): { readonly [key: string]: Json } {
	const keys = { type: "array", items: { type: "string", enum: buckets.map(({ key }) => key) } };
	const placed = { type: "object", properties: { memory: { type: "integer" }, buckets: keys }, required: ["memory", "buckets"], additionalProperties: false };
	return { type: "object", properties: { sorted: { type: "array", items: placed } }, required: ["sorted"], additionalProperties: false };
}

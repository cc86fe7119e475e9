/**
 * Sorts memories into the buckets that users have defined, by the language model. Each memory is asked about once for these
 * buckets, many in one question. Until then, and where the model gives no answer, the decision of the rules holds.
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
import type { AnswerRead, ModelClient, Step } from "../plugin/contract.ts";
import type { Job } from "../ports/job-queue.ts";
import type { Sorted } from "../ports/profile-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { newJob } from "../runtime/new-job.ts";
import { bucketsOf, modelSorting } from "./buckets.ts";
import { sortedByRules } from "./sorting.ts";

/** Memories in one question: about 2,000 tokens. */
const memoriesAtOnce = 40;
const memoryCharactersMax = 200;
/** After these the job is queued again, so that new documents do not wait for all old memories. */
const batchesPerTurn = 10;
/** Calls for one batch: the first and one retry. */
const callsMax = 2;
const outputTokensMax = 3_000;

type ModelParts = Parts & { readonly modelGateway: ModelGateway };

/** @throws ServiceError `MODEL_UNAVAILABLE`: the job comes again when the model may be there. */
export async function sortWithModel({ subject: tag, organisation }: Job, tenant: TenantStore, parts: ModelParts, signal: AbortSignal): Promise<void> {
	const { modelGateway: gateway, world, embedder } = parts;
	const buckets = await bucketsOf(tag, tenant.containers, tenant.records, world.now());
	const [name] = await modelSorting(buckets, { tenant, modelGateway: gateway, world });
	if (name === undefined) return;
	const step = createStep(world, signal);
	const payer = { containerTag: tag, key: null, use: "buckets" } as const;
	for (let batch = 0; batch < batchesPerTurn; batch++) {
		signal.throwIfAborted();
		const waiting = await tenant.profiles.unsorted(tag, [name], memoriesAtOnce);
		if (waiting.length === 0) return;
		const client = openModelClient({ gateway, records: tenant.records, organisation, payer, callsMax, world, onWait: () => undefined }, step);
		const verdicts = await ask(waiting, buckets, gateway, client, step);
		if (verdicts === null) return;
		const ruled = await sortedByRules(
			waiting.filter(({ id }) => !verdicts.has(id)),
			buckets,
			{ tenant, embedder },
			step,
		);
		await tenant.profiles.sort(name, [...ruled, ...[...verdicts].map(([memory, found]): Sorted => ({ memory, buckets: found }))]);
	}
	await parts.storage.jobs.add(newJob("remember", tag, organisation, world));
}

type Verdicts = ReadonlyMap<Memory["id"], readonly string[]>;

/** Batches without an answer are skipped; null when the model is not to be asked for now. */
async function ask(
	memories: readonly Memory[],
	buckets: readonly ProfileBucket[],
	gateway: ModelGateway,
	client: ModelClient,
	step: Step,
): Promise<Verdicts | null> {
	// Texts with instructions to a model are sorted by rules.
	const asked = memories.filter(({ text }) => !isInstruction(text));
	if (asked.length === 0) return new Map();
	const lines = asked.map(({ text }, i) => `${i + 1}. ${text.replaceAll(/\s+/g, " ").slice(0, memoryCharactersMax)}`);
	try {
		const question = { system: rulesFor(buckets), prompt: fenced(lines.join("\n"), gateway.digest), schema: schemaFor(buckets), outputTokensMax };
		const answer = await client.ask(question, readAnswer);
		return verdictsIn(answer, asked, new Set(buckets.map(({ key }) => key)));
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code === "MODEL_UNAVAILABLE" || !thrown.code.startsWith("MODEL_")) throw thrown;
		step.log("info", "memories were sorted by rules", { memories: memories.length, code: thrown.code });
		// An unanswered question is not repeated; one beyond the budget is asked later.
		return thrown.code === "MODEL_MALFORMED" || thrown.code === "MODEL_DECLINED" ? new Map() : null;
	}
}

/** Only given memories and existing buckets count. Of contradicting entries the first counts. */
function verdictsIn(answer: readonly Placed[], asked: readonly Memory[], keys: ReadonlySet<string>): Verdicts {
	const verdicts = new Map<Memory["id"], readonly string[]>();
	for (const { memory, buckets } of answer) {
		const id = asked[memory - 1]?.id;
		if (id === undefined || verdicts.has(id)) continue;
		const known = [...new Set(buckets)].filter((key) => keys.has(key));
		// An answer with only invented names counts as none.
		if (known.length > 0 || buckets.length === 0) verdicts.set(id, known);
	}
	return verdicts;
}

type Placed = { readonly memory: number; readonly buckets: readonly string[] };

function readAnswer(object: Json): AnswerRead<readonly Placed[]> {
	const { sorted } = object as { readonly [key: string]: Json };
	if (!Array.isArray(sorted)) return { complaint: "it has no list called sorted" };
	const placed = sorted.flatMap((each: Json): readonly Placed[] => {
		if (typeof each !== "object" || each === null || Array.isArray(each)) return [];
		const { memory, buckets } = each as { readonly [key: string]: Json };
		if (typeof memory !== "number" || !Array.isArray(buckets)) return [];
		return [{ memory, buckets: buckets.filter((key): key is string => typeof key === "string") }];
	});
	return placed.length === 0 ? { complaint: "its entries have no memory and buckets" } : { value: placed };
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

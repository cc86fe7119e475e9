/** The job `remember`: extracts the memories of a container's new documents, oldest first, one after another, and updates the container's description. */

import { createDescriber } from "../containers/describe-container.ts";
import { asServiceError } from "../errors/fail.ts";
import { meteredStep } from "../language/meter.ts";
import { extractorIdentity } from "../memories/extractor-identity.ts";
import { type Extracted, extractTogether, type Reading, type RememberParts, remember, rememberTogether } from "../memories/remember.ts";
import { summarizeWithModel } from "../memories/summarize-with-model.ts";
import type { Document } from "../model/document.ts";
import type { Warning } from "../model/extraction.ts";
import type { Parts } from "../parts.ts";
import type { Job } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import { bucketsOf, modelSorting } from "../profile/buckets.ts";
import { sortWithModel } from "../profile/sort-with-model.ts";
import { sortMemories } from "../profile/sorting.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import type { RecordedStep } from "../runtime/step.ts";
import type { Handler } from "./worker.ts";

/** After this long the job ends and is queued again: new documents do not wait behind many old ones. */
const documentsPerTurn = 100;

export function rememberHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const { modelGateway } = parts;
	const describe = createDescriber(parts);
	/** How often a container has waited for the language model without progress. */
	const waits = new Map<string, number>();
	return (job) => {
		const container = `${job.organisation} ${job.subject}`;
		const tenant = parts.storage.organisation(job.organisation);
		return {
			run: async (signal) => {
				const documents = await tenant.documents.dreaming(job.subject, documentsPerTurn);
				const turn = { tenant, parts, oneAtATime, signal };
				if (modelGateway === null) await holding(documents, oneAtATime, () => dreamAll(documents, turn));
				else
					for (const document of anotherFirst(documents, waits.get(container) ?? 0)) {
						signal.throwIfAborted();
						await holding([document], oneAtATime, async () => {
							for (const still of await due([document], tenant)) await dream(still, turn);
						});
					}
				waits.delete(container);
				await sortAll(job, tenant, parts, signal);
				if (documents.length < documentsPerTurn) {
					await describe(job, tenant);
					if (modelGateway !== null) await sortWithModel(job, tenant, { ...parts, modelGateway }, signal);
				} else await parts.storage.jobs.add(newJob("remember", job.subject, job.organisation, parts.world));
			},
			reason: asServiceError,
			failed: async (thrown, retryAt) => {
				if (asServiceError(thrown).retryAfterMs !== null) waits.set(container, (waits.get(container) ?? 0) + 1);
				parts.world.log("warn", "the memories of a container could not be drawn", { code: asServiceError(thrown).code, retryAt });
			},
		};
	};
}

/** Their memories are compared and saved in one go: so many take the writer about 20 ms. */
const documentsTogether = 20;

interface Turn {
	readonly tenant: TenantStore;
	readonly parts: Parts;
	readonly oneAtATime: KeyedMutex;
	readonly signal: AbortSignal;
}

/** By rules. While a batch is being saved the next one is read. */
async function dreamAll(documents: readonly Document[], turn: Turn): Promise<void> {
	const batches = inBatches(await due(documents, turn.tenant), documentsTogether);
	const marked: Promise<void>[] = [];
	const lately: NonNullable<RememberParts["lately"]> = new Map();
	let ahead: Promise<Read> | null = null;
	for (const [i, batch] of batches.entries()) {
		turn.signal.throwIfAborted();
		const read = ahead ?? readTogether(batch, turn);
		const next = batches[i + 1];
		ahead = null;
		const saving = () => {
			// A moment later: what is to be saved leaves at the end of this turn of the event loop.
			if (next !== undefined) ahead ??= turn.parts.world.sleep(1, turn.signal).then(() => readTogether(next, turn));
		};
		marked.push(...(await dreamTogether(batch, read, { saving, lately }, turn)));
	}
	await Promise.all(marked);
}

/** Read anew: while it waited for its turn somebody else may have had it. */
async function due(documents: readonly Document[], tenant: TenantStore): Promise<readonly Document[]> {
	return (await tenant.documents.getMany(documents.map(({ id }) => id))).filter(isDue);
}

function isDue({ dreamingStatus, publishedRevision, revision }: Document): boolean {
	return dreamingStatus === "dreaming" && publishedRevision === revision;
}

/** Neighbours that not all memories may have are looked for by a document alone. */
function inBatches(documents: readonly Document[], size: number): readonly (readonly Document[])[] {
	const batches: Document[][] = [];
	for (const document of documents) {
		const last = batches.at(-1);
		const fits = last !== undefined && last.length < size && [...last, document].every(({ neighbourFilter }) => neighbourFilter === null);
		if (fits) last.push(document);
		else batches.push([document]);
	}
	return batches;
}

/** Runs while nobody else has any of the documents. All who hold several take them in one order, so that none waits for another in a ring. */
function holding(documents: readonly Document[], oneAtATime: KeyedMutex, run: () => Promise<void>): Promise<void> {
	const keys = documents.map(({ organisation, id }) => `document ${organisation} ${id}`).sort();
	return keys.reduceRight((inner, key) => () => oneAtATime(key, inner), run)();
}

/** Up to so many failures count as the model's; further ones may be the document's. */
const waitsTrusted = 2;

/**
 * Whether the language model fails, or only this document makes it fail, shows when it is asked about another document: every second
 * time the next is read before the oldest.
 */
function anotherFirst(documents: readonly Document[], waited: number): readonly Document[] {
	const [oldest, next, ...rest] = documents;
	return oldest !== undefined && next !== undefined && waited > waitsTrusted && waited % 2 === 1 ? [next, oldest, ...rest] : documents;
}

/** In small steps: each keeps the thread for about 20 ms. */
const sortedAtOnce = 500;

/** Sorts new memories into the buckets of the container's profile before a client asks for it. */
async function sortAll({ subject: tag }: Job, tenant: TenantStore, { embedder, modelGateway, world }: Parts, signal: AbortSignal): Promise<void> {
	const buckets = await bucketsOf(tag, tenant.containers, tenant.records, world.now());
	const step = meteredStep(tenant.records, world, signal);
	const others = await modelSorting(buckets, { tenant, modelGateway, world });
	while (!signal.aborted && (await sortMemories(tag, buckets, sortedAtOnce, { tenant, embedder, others }, step)) === sortedAtOnce);
}

/** The document has this warning as long as it is true. */
const waiting = { code: "MEMORIES_WAIT", message: "the language model does not answer; the memories and the summary of this document are drawn when it does" };

type Read = { readonly readings: readonly Recorded[]; readonly extracted: readonly Extracted[] } | { readonly thrown: unknown };

type Recorded = Reading & { readonly step: RecordedStep };

async function readTogether(documents: readonly Document[], { tenant, parts, oneAtATime, signal }: Turn): Promise<Read> {
	try {
		const readings = await Promise.all(
			documents.map(async (document) => ({
				document,
				chunks: await tenant.documents.chunksOf(document.id),
				step: meteredStep(tenant.records, parts.world, signal),
			})),
		);
		return { readings, extracted: await extractTogether(readings, { ...parts, tenant, oneAtATime }) };
	} catch (thrown) {
		return { thrown };
	}
}

/** Where one of them fails, each is tried by itself: what is done already is recognised. @returns what marks them as done; nobody waits for it yet. */
async function dreamTogether(
	documents: readonly Document[],
	reading: Promise<Read>,
	more: Pick<RememberParts, "saving" | "lately">,
	turn: Turn,
): Promise<readonly Promise<void>[]> {
	const { tenant, parts, oneAtATime, signal } = turn;
	const read = await reading;
	try {
		if ("thrown" in read) throw read.thrown;
		await rememberTogether(read.extracted, { ...parts, tenant, oneAtATime, ...more });
		const marking = read.readings.map(({ document, step }) => settled(document, step.warnings(), tenant, parts));
		// What fails is heard of at the end of the turn, and not as a failure that nobody waits for.
		for (const one of marking) one.catch(() => undefined);
		return marking;
	} catch (thrown) {
		signal.throwIfAborted();
		if (documents.length > 1)
			parts.world.log("warn", "the memories of several documents could not be drawn together; each is tried by itself", { code: asServiceError(thrown).code });
	}
	for (const document of documents) await dream(document, turn);
	return [];
}

/** A document whose memories cannot be extracted does not hold up the others; a failure that may pass stops all until it has passed. */
async function dream(document: Document, { tenant, parts, oneAtATime, signal }: Turn): Promise<void> {
	const { id, revision } = document;
	const step = meteredStep(tenant.records, parts.world, signal);
	const before = document.findings.warnings;
	const lasting = lastingOf(document);
	try {
		const chunks = await tenant.documents.chunksOf(id);
		await remember(document, chunks, { ...parts, tenant, oneAtATime }, step);
		const { modelGateway } = parts;
		if (modelGateway !== null) await summarizeWithModel(document, chunks, { ...parts, modelGateway, tenant }, step);
	} catch (thrown) {
		const { mayPass, retryAfterMs } = asServiceError(thrown);
		if (retryAfterMs !== null && lasting.length === before.length) await tenant.documents.describe(id, revision, { warnings: [...before, waiting] });
		if (signal.aborted || mayPass) throw thrown;
		parts.world.log("error", "the memories of a document could not be drawn", { document: id, cause: thrown instanceof Error ? thrown.stack : String(thrown) });
		step.warn("MEMORIES_FAILED", "no memories could be drawn from this document; its text is searchable");
	}
	await settled(document, step.warnings(), tenant, parts);
}

function lastingOf({ findings: { warnings } }: Document): Document["findings"]["warnings"] {
	return warnings.filter(({ code }) => code !== waiting.code);
}

async function settled(document: Document, news: readonly Warning[], { documents }: TenantStore, { memoryExtractors, world }: Parts): Promise<void> {
	const { id, revision, findings } = document;
	const warnings = [...lastingOf(document), ...news];
	if (news.length > 0 || warnings.length !== findings.warnings.length) await documents.describe(id, revision, { warnings });
	await documents.setDreaming(id, revision, "done", world.now(), extractorIdentity(memoryExtractors));
}

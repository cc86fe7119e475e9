/** The job `remember`: extracts the memories of a container's new documents, oldest first, one after another, and updates the container's description. */

import { createDescriber } from "../containers/describe-container.ts";
import { asServiceError } from "../errors/fail.ts";
import { meteredStep, type RecordedStep } from "../language/step.ts";
import { createRecentByOrganisation, type RecentMemories } from "../memories/recent-memories.ts";
import { type DocumentToRead, type ExtractedDocument, extractTogether, type RememberParts, remember, rememberTogether } from "../memories/remember.ts";
import { summarizeWithModel } from "../memories/summarize-with-model.ts";
import type { Document } from "../model/document.ts";
import type { Parts } from "../parts.ts";
import type { Job } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import { bucketsOf, modelSorting, sortMemories } from "../profile/buckets.ts";
import { sortWithModel } from "../profile/sort-with-model.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import { deadlyOf, failedWarning, giveUp, markDone, otherWarnings, planAfterCrashes, takeInHand, waitingWarning } from "./remember-crashes.ts";
import type { Handler } from "./worker.ts";

/** Documents that are locked and read together. */
const documentsPerTurn = 100;
/**
 * After this time the job ends and is queued again, so that other containers do not wait behind many documents. It is not shorter, because what
 * is known of a container is read again for each job.
 */
const jobMs = 2_000;

/** How many containers whose job failed are remembered; with more, one begins again with its oldest document. */
const failedWaitsMax = 10_000;

export function rememberHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const { modelGateway } = parts;
	const describe = createDescriber(parts);
	/** How often in a row the job of a container has failed because the language model was unavailable. */
	const failedWaits = new Map<string, number>();
	const recentMemories = createRecentByOrganisation(parts.world);
	return (job) => {
		const container = `${job.organisation} ${job.subject}`;
		const tenant = parts.storage.organisation(job.organisation, job);
		return {
			run: async (signal) => {
				const endsAt = parts.world.elapsedMs() + jobMs;
				const { isAlone, endsAfterFirst, givesUp } = planAfterCrashes(job.crashes);
				const atOnce = isAlone ? 1 : documentsPerTurn;
				const turn = { tenant, parts, oneAtATime, signal, isAlone, recentMemories: recentMemories.of(job.organisation) };
				if (givesUp) {
					const deadly = await deadlyOf(job.subject, tenant);
					await withDocumentsLocked(deadly, oneAtATime, () => giveUp(deadly, turn));
					// Nothing else is done in this turn, so that its crashes count for no other document.
					await parts.storage.jobs.add(newJob("remember", job.subject, job.organisation, parts.world));
					return;
				}
				let isLast = false;
				const failures = failedWaits.get(container) ?? 0;
				// One more than are read: the one that may have to go first.
				const looked = failures > failuresBlamedOnModel ? Math.max(atOnce, 2) : atOnce;
				for (let turns = 0; !isLast && parts.world.elapsedMs() < endsAt && !(endsAfterFirst && turns > 0); turns++) {
					const waiting = await tenant.documents.dreaming(job.subject, looked);
					isLast = waiting.length < looked;
					const documents = reorderAfterFailures(waiting, failures).slice(0, atOnce);
					if (modelGateway === null) await withDocumentsLocked(documents, oneAtATime, () => rememberByRules(documents, turn));
					else await rememberWithModel(documents, turn);
				}
				failedWaits.delete(container);
				await sortAll(job, tenant, parts, signal);
				if (isLast) {
					recentMemories.drop(job.organisation);
					await describe(job, tenant);
					if (modelGateway !== null) await sortWithModel(job, tenant, { ...parts, modelGateway }, signal);
				} else await parts.storage.jobs.add(newJob("remember", job.subject, job.organisation, parts.world));
			},
			toServiceError: asServiceError,
			onFailure: async (thrown, retryAt) => {
				if (failedWaits.size >= failedWaitsMax) failedWaits.clear();
				if (asServiceError(thrown).retryAfterMs !== null) failedWaits.set(container, (failedWaits.get(container) ?? 0) + 1);
				parts.world.log("warn", "the memories of a container could not be extracted", { code: asServiceError(thrown).code, retryAt });
			},
		};
	};
}

/** The memories of this many documents are compared and saved together, which takes the writer about 20 ms. */
const documentsTogether = 20;

interface Context {
	readonly tenant: TenantStore;
	readonly parts: Parts;
	readonly oneAtATime: KeyedMutex;
	readonly signal: AbortSignal;
	/** Whether one document is read at a time, because the process has ended several times. */
	readonly isAlone: boolean;
	readonly recentMemories: RecentMemories;
}

async function rememberWithModel(documents: readonly Document[], turn: Context): Promise<void> {
	for (const document of documents) {
		turn.signal.throwIfAborted();
		await withDocumentsLocked([document], turn.oneAtATime, async () => {
			for (const current of await takeInHand([document], turn)) await rememberDocument(current, turn);
		});
	}
}

/** Extracts memories by rules, in batches. While a batch is being saved, the next one is read. */
async function rememberByRules(documents: readonly Document[], turn: Context): Promise<void> {
	const batches = inBatches(await takeInHand(documents, turn), documentsTogether);
	const doneMarks: Promise<void>[] = [];
	let readAhead: Promise<BatchRead> | null = null;
	for (const [i, batch] of batches.entries()) {
		turn.signal.throwIfAborted();
		const read = readAhead ?? readBatch(batch, turn);
		const next = batches[i + 1];
		readAhead = null;
		const saving = () => {
			// It starts a moment later, since the save is only sent to the writer at the end of this turn of the event loop.
			if (next !== undefined) readAhead ??= turn.parts.world.sleep(1, turn.signal).then(() => readBatch(next, turn));
		};
		doneMarks.push(...(await rememberBatch(batch, read, { saving, recentMemories: turn.recentMemories }, turn)));
	}
	await Promise.all(doneMarks);
}

/** Splits documents into batches. A document with a neighbour filter is a batch by itself, since the filter applies to a whole batch. */
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

/**
 * Runs with all the documents locked. The locks are taken in a fixed order, so that there is no deadlock. A document of one container is
 * locked in this program only: the job of the container is leased, so no other program reads it.
 */
function withDocumentsLocked(documents: readonly Document[], oneAtATime: KeyedMutex, run: () => Promise<void>): Promise<void> {
	const keys = documents.map(({ organisation, id, containerTags }) => ({
		key: `document ${organisation} ${id}`,
		sharedIn: containerTags.length > 1 ? organisation : undefined,
	}));
	const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
	return sorted.reduceRight(
		(inner, { key, sharedIn }) =>
			() =>
				oneAtATime(key, inner, sharedIn),
		run,
	)();
}

/** Up to this many failures in a row are blamed on the model; further ones may be caused by the document. */
const failuresBlamedOnModel = 2;

/**
 * After several failures the second document is tried before the oldest one at every second attempt. If it succeeds, the oldest document
 * was the cause, and not the language model.
 */
function reorderAfterFailures(documents: readonly Document[], failures: number): readonly Document[] {
	const [oldest, next, ...rest] = documents;
	return oldest !== undefined && next !== undefined && failures > failuresBlamedOnModel && failures % 2 === 1 ? [next, oldest, ...rest] : documents;
}

/** How many memories are read to be sorted: about 5 ms. With fewer, a hundred thousand that a client wrote would be looked through hundreds of times. */
const memoriesPerSorting = 1_000;

/** Sorts new memories into the buckets of the container's profile before a client asks for it. */
async function sortAll({ subject: tag }: Job, tenant: TenantStore, { embedder, modelGateway, world }: Parts, signal: AbortSignal): Promise<void> {
	const buckets = await bucketsOf(tag, tenant.containers, tenant.records, world.now());
	const step = meteredStep(tenant.records, world, signal);
	const others = await modelSorting(buckets, { tenant, modelGateway, world });
	while (!signal.aborted && (await sortMemories(tag, buckets, memoriesPerSorting, { tenant, embedder, others }, step)) === memoriesPerSorting);
}

type BatchRead = { readonly readings: readonly RecordedReading[]; readonly extracted: readonly ExtractedDocument[] } | { readonly thrown: unknown };

type RecordedReading = DocumentToRead & { readonly step: RecordedStep };

async function readBatch(documents: readonly Document[], { tenant, parts, oneAtATime, signal }: Context): Promise<BatchRead> {
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

/**
 * Saves the memories of a batch. If that fails, each document is tried by itself; memories that are saved already are recognised.
 * @returns the pending writes that mark the documents as done, for the caller to wait for
 */
async function rememberBatch(
	documents: readonly Document[],
	reading: Promise<BatchRead>,
	more: Pick<RememberParts, "saving" | "recentMemories">,
	turn: Context,
): Promise<readonly Promise<void>[]> {
	const { tenant, parts, oneAtATime, signal } = turn;
	const read = await reading;
	try {
		if ("thrown" in read) throw read.thrown;
		const { leftOut } = await rememberTogether(read.extracted, { ...parts, tenant, oneAtATime, ...more });
		const done = read.readings.filter(({ document }) => !leftOut.has(document.id));
		const doneMarks = done.map(({ document, step }) => markDone(document, step.warnings(), tenant, parts));
		// Prevents unhandled rejections; the caller awaits the promises later.
		for (const mark of doneMarks) mark.catch(() => undefined);
		return doneMarks;
	} catch (thrown) {
		signal.throwIfAborted();
		if (documents.length > 1)
			parts.world.log("warn", "the memories of several documents could not be extracted together; each is tried by itself", {
				code: asServiceError(thrown).code,
			});
	}
	for (const document of documents) await rememberDocument(document, turn);
	return [];
}

/** Extracts the memories of one document. A permanent failure adds a warning and does not stop the other documents; a temporary one is thrown. */
async function rememberDocument(document: Document, { tenant, parts, oneAtATime, signal }: Context): Promise<void> {
	const { id, revision } = document;
	const step = meteredStep(tenant.records, parts.world, signal);
	const before = document.findings.warnings;
	const remaining = otherWarnings(document);
	try {
		const chunks = await tenant.documents.chunksOf(id);
		const { leftOut } = await remember(document, chunks, { ...parts, tenant, oneAtATime }, step);
		if (leftOut.has(id)) return;
		const { modelGateway } = parts;
		if (modelGateway !== null) await summarizeWithModel(document, chunks, { ...parts, modelGateway, tenant }, step);
	} catch (thrown) {
		const { mayPass, retryAfterMs } = asServiceError(thrown);
		if (retryAfterMs !== null && remaining.length === before.length) await tenant.documents.describe(id, revision, { warnings: [...before, waitingWarning] });
		if (signal.aborted || mayPass) throw thrown;
		parts.world.log("error", "the memories of a document could not be extracted", {
			document: id,
			cause: thrown instanceof Error ? thrown.stack : String(thrown),
		});
		step.warn(failedWarning.code, failedWarning.message);
	}
	await markDone(document, step.warnings(), tenant, parts);
}

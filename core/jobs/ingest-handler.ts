/** The job `ingest`: takes one document, at the revision it has now, through the pipeline. */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { chunk } from "../ingest/chunk.ts";
import { collectAttachments } from "../ingest/collect-attachments.ts";
import { embed, indexChunks } from "../ingest/embed-and-publish.ts";
import { extract } from "../ingest/extract.ts";
import { finish, ingest, StageFailure, type Stages } from "../ingest/ingest.ts";
import { withdrawMemories } from "../ingest/receive.ts";
import { meteredStep } from "../language/step.ts";
import { extractorIdentity } from "../memories/extractor-identity.ts";
import { type RememberParts, remember } from "../memories/remember.ts";
import { summarizeWithModel } from "../memories/summarize-with-model.ts";
import type { Document, Progress } from "../model/document.ts";
import type { DocumentType } from "../model/extraction.ts";
import { asId, type DocumentId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { type DocumentStatus, unfinishedStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import type { Step } from "../plugin/contract.ts";
import type { NewJob } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import type { Turn } from "../runtime/embed-texts.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import { observed } from "../runtime/observed.ts";
import { chunkCharactersOf, readSettings } from "../settings/settings.ts";
import { type Admission, createAdmissions, createWeightedSemaphore } from "./extraction-admission.ts";
import type { Handler } from "./worker.ts";

export function ingestHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const beginAdmission = createAdmissions(parts.world);
	const embedding = createWeightedSemaphore(limits.concurrentEmbeddingsMax);
	const embeddingSlot: Turn = (signal) => embedding.acquire(1, signal);
	return (job) => {
		const admission = beginAdmission();
		const tenant = parts.storage.organisation(job.organisation, job);
		const id = asId<DocumentId>(job.subject);
		let loadedDocument: Document | null = null;
		let waitsForModel = false;
		const onModelWait = (isWaitingForModel: boolean) => {
			waitsForModel = isWaitingForModel;
			if (isWaitingForModel) admission.releasePlace();
		};
		return {
			run: async (signal) => {
				try {
					loadedDocument = await loadWhenAdmitted(id, tenant, admission, signal);
					if (loadedDocument === null || !needsWork(loadedDocument)) return;
					await process(
						loadedDocument,
						job.crashes,
						tenant,
						stagesFor(tenant, { ...parts, asking: onModelWait, turn: embeddingSlot }, oneAtATime, admission),
						parts.world,
						signal,
					);
				} finally {
					admission.end();
				}
			},
			next: async () => (loadedDocument === null ? [] : rememberJobs(loadedDocument, tenant, parts.world)),
			isWaiting: () => waitsForModel || admission.isWaiting(),
			toServiceError: reasonOf,
			onFailure: async (thrown, retryAt) => {
				if (loadedDocument === null) return;
				const { code, message, hint } = reasonOf(thrown);
				const stage: DocumentStatus = thrown instanceof StageFailure ? thrown.stage : "queued";
				parts.world.log(retryAt === null ? "warn" : "info", "a document failed", { document: id, code, stage, retryAt, cause: causeOf(thrown) });
				await tenant.documents.fail(
					id,
					loadedDocument.revision,
					{ code, message, stage, hint, retryAt },
					retryAt === null ? "failed" : "queued",
					parts.world.now(),
				);
			},
		};
	};
}

/** Loads the document with its text. A heavy one is loaded only when it has been admitted. Null if it is gone. */
async function loadWhenAdmitted(id: DocumentId, { documents }: TenantStore, admission: Admission, signal: AbortSignal): Promise<Document | null> {
	const [listed] = await documents.getMany([id]);
	if (listed === undefined) return null;
	const isHeavy = isHeavyContent(listed);
	await admission.begin(isHeavy, signal);
	// The document may have changed while it waited.
	return isHeavy ? documents.get(id) : listed;
}

function isHeavyContent({ content, isTextLeftOut }: Document): boolean {
	return isTextLeftOut === true || content.kind !== "text" || content.text.length > limits.lightCharactersMax;
}

/** False if an earlier attempt finished the document but was killed before it settled the job. */
function needsWork({ status, revision, publishedRevision }: Document): boolean {
	return !(status === "failed" || (status === "done" && publishedRevision === revision));
}

async function process(document: Document, crashes: number, tenant: TenantStore, stages: Stages, world: World, signal: AbortSignal): Promise<void> {
	const { id, revision } = document;
	// Again and again the process has ended while it had nothing in hand but this document. It is not tried again.
	if (crashes >= limits.crashesMax) throw fail("PROCESS_CRASHED");
	const progress = (currentProgress: Progress) => void tenant.documents.progress(id, revision, currentProgress).catch(() => undefined);
	const step = meteredStep(tenant.records, world, signal, progress);
	const acquire = async (status: DocumentStatus) => {
		if (status === "done" && step.warnings().length > 0) await tenant.documents.describe(id, revision, { warnings: step.warnings() });
		if (!(await tenant.documents.move(id, revision, unfinishedStatuses, status, world.now()))) throw fail("DOCUMENT_SUPERSEDED", id);
	};
	if (document.publishedRevision !== revision) await ingest({ document }, stages, acquire, step);
	else await finish({ document, chunks: await tenant.documents.chunksOf(id) }, stages, acquire, step);
}

function stagesFor(
	tenant: TenantStore,
	parts: Parts & Pick<RememberParts, "asking"> & { readonly turn: Turn },
	oneAtATime: KeyedMutex,
	admission: Admission,
): Stages {
	const { extractors, addressReaders, chunkers, embedder, mediaTypes, modelGateway, fetch, world } = parts;
	return observedStages(world, {
		extract: (received, step) =>
			admission.run(received.document, step.signal, () => {
				const attachments = (document: Document, bounded: Step) => collectAttachments(document, { tenant, extractors, mediaTypes, world }, bounded);
				const onTypeKnown = ({ id, revision }: Document, type: DocumentType) => tenant.documents.describe(id, revision, { type });
				return extract(received, { extractors, addressReaders, attachments, onTypeKnown, blobs: tenant.blobs, mediaTypes, fetch }, step);
			}),
		chunk: async (extracted, step) => chunk(extracted, chunkCharactersOf(await readSettings(tenant.records, world.now())), { chunkers, embedder, world }, step),
		embed: (chunked, step) => embed(chunked, embedder, tenant, step, parts.turn),
		index: (embedded) => indexChunks(embedded, tenant, world),
		remember: async ({ document, chunks }, step) => {
			const isOnlySearched = document.taskType === "superrag";
			if (!isOnlySearched && document.dreaming === "dynamic") return { memories: null };
			// Those of the time before it was only searched.
			if (isOnlySearched) await withdrawMemories(document, tenant, world.now());
			const remembered = isOnlySearched ? null : await remember(document, chunks, { ...parts, tenant, oneAtATime }, step);
			const memories = remembered?.written ?? null;
			if (remembered?.leftOut.has(document.id)) return { memories };
			if (modelGateway !== null) await summarizeWithModel(document, chunks, { ...parts, modelGateway, tenant }, step);
			// A document that is only searched is not dreaming, unless it was switched meanwhile; then it waits for its memories.
			if (!isOnlySearched || document.dreamingStatus === "dreaming")
				await tenant.documents.setDreaming(document.id, document.revision, "done", world.now(), extractorIdentity(parts.memoryExtractors));
			return { memories };
		},
	});
}

function observedStages(world: World, stages: Stages): Stages {
	return {
		extract: (received, step) => observed(world, "stage", "extracting", () => stages.extract(received, step)),
		chunk: (extracted, step) => observed(world, "stage", "chunking", () => stages.chunk(extracted, step)),
		embed: (chunked, step) => observed(world, "stage", "embedding", () => stages.embed(chunked, step)),
		index: (embedded, step) => observed(world, "stage", "indexing", () => stages.index(embedded, step)),
		remember: (published, step) => observed(world, "stage", "remembering", () => stages.remember(published, step)),
	};
}

/**
 * The `remember` jobs of the containers in which the document is now; it may have moved. They are needed even if no memories are extracted
 * from the document, since the job also updates the container's description.
 */
async function rememberJobs({ id, organisation }: Document, { documents }: TenantStore, world: World): Promise<readonly NewJob[]> {
	return ((await documents.tagsOf([id])).get(id) ?? []).map((tag) => newJob("remember", tag, organisation, world));
}

function reasonOf(thrown: unknown): ServiceError {
	return thrown instanceof StageFailure ? thrown.reason : asServiceError(thrown);
}

/** The underlying error, for the log: a client never sees it. */
function causeOf(thrown: unknown): string | null {
	const { cause } = reasonOf(thrown);
	return cause instanceof Error ? (cause.stack ?? cause.message) : null;
}

/** The job `ingest`: takes one document, at the revision it has now, through the pipeline. */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { chunk } from "../ingest/chunk.ts";
import { embed, indexChunks } from "../ingest/embed-and-publish.ts";
import { extract } from "../ingest/extract.ts";
import { finish, ingest, StageFailure, type Stages } from "../ingest/ingest.ts";
import { takeAttachments } from "../ingest/take-attachments.ts";
import { meteredStep } from "../language/meter.ts";
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
import { memoryOverridesOf } from "../settings/settings.ts";
import { type Admission, createAdmissions, createWeightedSemaphore } from "./extraction-admission.ts";
import type { Handler } from "./worker.ts";

export function ingestHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const beginAdmission = createAdmissions(parts.world);
	const embedding = createWeightedSemaphore(limits.concurrentEmbeddingsMax);
	const turn: Turn = (signal) => embedding.acquire(1, signal);
	return (job) => {
		const admission = beginAdmission();
		const tenant = parts.storage.organisation(job.organisation);
		const id = asId<DocumentId>(job.subject);
		let working: Document | null = null;
		let isAsking = false;
		const asking = (is: boolean) => {
			isAsking = is;
			if (is) admission.makeWay();
		};
		return {
			run: async (signal) => {
				try {
					working = await taken(id, tenant, admission, signal);
					if (working === null || !needsWork(working)) return;
					await process(working, job.attempt, tenant, stagesFor(tenant, { ...parts, asking, turn }, oneAtATime, admission), parts.world, signal);
				} finally {
					admission.end();
				}
			},
			next: async () => (working === null ? [] : dreams(working, tenant, parts.world)),
			isWaiting: () => isAsking || admission.isWaiting(),
			reason: reasonOf,
			failed: async (thrown, retryAt) => {
				if (working === null) return;
				const { code, message, hint } = reasonOf(thrown);
				const stage: DocumentStatus = thrown instanceof StageFailure ? thrown.stage : "queued";
				parts.world.log(retryAt === null ? "warn" : "info", "a document failed", { document: id, code, stage, retryAt, cause: causeOf(thrown) });
				await tenant.documents.fail(id, working.revision, { code, message, stage, hint, retryAt }, retryAt === null ? "failed" : "queued", parts.world.now());
			},
		};
	};
}

/** The document with its text; a heavy one is not read before it has a place. */
async function taken(id: DocumentId, { documents }: TenantStore, admission: Admission, signal: AbortSignal): Promise<Document | null> {
	const [shown] = await documents.getMany([id]);
	if (shown === undefined) return null;
	const isHeavy = isHeavyContent(shown);
	await admission.begin(isHeavy, signal);
	// While it waited it may have changed.
	return isHeavy ? documents.get(id) : shown;
}

function isHeavyContent({ content, isTextLeftOut }: Document): boolean {
	return isTextLeftOut === true || content.kind !== "text" || content.text.length > limits.lightCharactersMax;
}

/** False when an earlier attempt finished the document but died before it settled its job. */
function needsWork({ status, revision, publishedRevision }: Document): boolean {
	return !(status === "failed" || (status === "done" && publishedRevision === revision));
}

async function process(document: Document, attempt: number, tenant: TenantStore, stages: Stages, world: World, signal: AbortSignal): Promise<void> {
	const { id, revision } = document;
	// Five workers have taken this job and never came back: it crashes the process, so a sixth does not try.
	if (attempt > limits.attemptsMax) throw fail("PROCESS_CRASHED");
	const progress = (now: Progress) => void tenant.documents.progress(id, revision, now).catch(() => undefined);
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
	return {
		extract: (received, step) =>
			admission.run(received.document, step.signal, () => {
				const attachments = (document: Document, bounded: Step) => takeAttachments(document, { tenant, extractors, mediaTypes, world }, bounded);
				const recognized = ({ id, revision }: Document, type: DocumentType) => tenant.documents.describe(id, revision, { type });
				return extract(received, { extractors, addressReaders, attachments, recognized, blobs: tenant.blobs, mediaTypes, fetch }, step);
			}),
		chunk: async (extracted, step) =>
			chunk(extracted, (await memoryOverridesOf(tenant.records, world.now())).chunkCharacters, { chunkers, embedder, world }, step),
		embed: (chunked, step) => embed(chunked, embedder, tenant, step, parts.turn),
		index: (embedded) => indexChunks(embedded, tenant, world),
		remember: async ({ document, chunks }, step) => {
			if (document.taskType === "memory" && document.dreaming === "dynamic") return { memories: null };
			const memories = document.taskType === "superrag" ? null : await remember(document, chunks, { ...parts, tenant, oneAtATime }, step);
			if (modelGateway !== null) await summarizeWithModel(document, chunks, { ...parts, modelGateway, tenant }, step);
			await tenant.documents.setDreaming(document.id, document.revision, "done", world.now(), extractorIdentity(parts.memoryExtractors));
			return { memories };
		},
	};
}

/** The containers it is in now; it may have moved. A document without memories to extract changes what its containers are about. */
async function dreams({ id, organisation }: Document, { documents }: TenantStore, world: World): Promise<readonly NewJob[]> {
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

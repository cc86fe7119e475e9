/** The job `ingest`: takes one document, at the revision it has now, through the pipeline. */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { meter } from "../language/meter.ts";
import type { Document, Progress } from "../model/document.ts";
import type { DocumentType } from "../model/extraction.ts";
import { asId, type DocumentId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import { type DocumentStatus, unfinishedStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import { chunk } from "../pipeline/chunk.ts";
import { embed, type Turn } from "../pipeline/embed.ts";
import { extract } from "../pipeline/extract.ts";
import { indexChunks } from "../pipeline/index-chunks.ts";
import { finish, ingest, StageFailure, type Stages } from "../pipeline/ingest.ts";
import type { KeyedMutex } from "../pipeline/keyed-mutex.ts";
import { newJob } from "../pipeline/receive.ts";
import { type RememberParts, remember } from "../pipeline/remember.ts";
import { retell } from "../pipeline/retell.ts";
import { createStep } from "../pipeline/step.ts";
import { takeMembers } from "../pipeline/take-members.ts";
import type { Step } from "../plugin/contract.ts";
import type { NewJob } from "../ports/job-queue.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { steeringOf } from "../settings/steering.ts";
import { createReadings, type Reading } from "./reading.ts";
import { createScales } from "./scales.ts";
import type { Handler } from "./worker.ts";

export function ingestHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const beginReading = createReadings(parts.world);
	const embedding = createScales(limits.embeddingsAtOnce);
	const turn: Turn = (signal) => embedding.enter(1, signal);
	return (job) => {
		const reading = beginReading();
		const rooms = parts.storage.organisation(job.organisation);
		const id = asId<DocumentId>(job.subject);
		let working: Document | null = null;
		let isAsking = false;
		const asking = (is: boolean) => {
			isAsking = is;
			if (is) reading.makeWay();
		};
		return {
			run: async (signal) => {
				try {
					working = await taken(id, rooms, reading, signal);
					if (working === null || !needsWork(working)) return;
					await process(working, job.attempt, rooms, stagesFor(rooms, { ...parts, asking, turn }, oneAtATime, reading), parts.world, signal);
				} finally {
					reading.end();
				}
			},
			next: async () => (working === null ? [] : dreams(working, rooms, parts.world)),
			isWaiting: () => isAsking || reading.isWaiting(),
			reason: reasonOf,
			failed: async (thrown, retryAt) => {
				if (working === null) return;
				const { code, message, hint } = reasonOf(thrown);
				const stage: DocumentStatus = thrown instanceof StageFailure ? thrown.stage : "queued";
				parts.world.log(retryAt === null ? "warn" : "info", "a document failed", { document: id, code, stage, retryAt, cause: causeOf(thrown) });
				await rooms.documents.fail(id, working.revision, { code, message, stage, hint, retryAt }, retryAt === null ? "failed" : "queued", parts.world.now());
			},
		};
	};
}

/** The document, with its text; one that is heavy is not read before it has a place. */
async function taken(id: DocumentId, { documents }: OrganisationRooms, reading: Reading, signal: AbortSignal): Promise<Document | null> {
	const [shown] = await documents.getMany([id]);
	if (shown === undefined) return null;
	const isHeavy = isHeavyContent(shown);
	await reading.begin(isHeavy, signal);
	// While it waited it may have changed.
	return isHeavy ? documents.get(id) : shown;
}

function isHeavyContent({ content, isTextLeftOut }: Document): boolean {
	return isTextLeftOut === true || content.kind !== "text" || content.text.length > limits.lightCharactersMax;
}

/** False when an earlier try got to the end but died before it could settle its job. */
function needsWork({ status, revision, publishedRevision }: Document): boolean {
	return !(status === "failed" || (status === "done" && publishedRevision === revision));
}

async function process(document: Document, attempt: number, rooms: OrganisationRooms, stages: Stages, world: World, signal: AbortSignal): Promise<void> {
	const { id, revision } = document;
	// Whoever claims it a sixth time was left by five others that never came back: it takes the process down.
	if (attempt > limits.attemptsMax) throw fail("PROCESS_CRASHED");
	const progress = (now: Progress) => void rooms.documents.progress(id, revision, now).catch(() => undefined);
	const step = { ...createStep(world, signal, progress), spent: meter(rooms.records, world) };
	const enter = async (status: DocumentStatus) => {
		if (status === "done" && step.remarks().length > 0) await rooms.documents.describe(id, revision, { remarks: step.remarks() });
		if (!(await rooms.documents.move(id, revision, unfinishedStatuses, status, world.now()))) throw fail("DOCUMENT_SUPERSEDED", id);
	};
	if (document.publishedRevision !== revision) await ingest({ document }, stages, enter, step);
	else await finish({ document, chunks: await rooms.documents.chunksOf(id) }, stages, enter, step);
}

function stagesFor(
	rooms: OrganisationRooms,
	parts: Parts & Pick<RememberParts, "asking"> & { readonly turn: Turn },
	oneAtATime: KeyedMutex,
	reading: Reading,
): Stages {
	const { extractors, addressReaders, chunkers, embedder, mediaTypes, fetch, world } = parts;
	return {
		extract: (received, step) =>
			reading.run(received.document, step.signal, () => {
				const members = (document: Document, bounded: Step) => takeMembers(document, { rooms, extractors, mediaTypes, world }, bounded);
				const recognized = ({ id, revision }: Document, type: DocumentType) => rooms.documents.describe(id, revision, { type });
				return extract(received, { extractors, addressReaders, members, recognized, blobs: rooms.blobs, mediaTypes, fetch }, step);
			}),
		chunk: async (extracted, step) => chunk(extracted, (await steeringOf(rooms.records, world.now())).chunkCharacters, { chunkers, embedder, world }, step),
		embed: (chunked, step) => embed(chunked, embedder, rooms, step, parts.turn),
		index: (embedded) => indexChunks(embedded, rooms, world),
		remember: async ({ document, chunks }, step) => {
			if (document.taskType === "memory" && document.dreaming === "dynamic") return { memories: null };
			const memories = document.taskType === "superrag" ? null : await remember(document, chunks, { ...parts, rooms, oneAtATime }, step);
			await retell(document, chunks, { ...parts, rooms }, step);
			await rooms.documents.setDreaming(document.id, document.revision, "done", world.now());
			return { memories };
		},
	};
}

/** Where it is now: it may have moved since its turn began. A document without memories to draw changes what its containers are about. */
async function dreams({ id, organisation }: Document, { documents }: OrganisationRooms, world: World): Promise<readonly NewJob[]> {
	return ((await documents.tagsOf([id])).get(id) ?? []).map((tag) => newJob("remember", tag, organisation, world));
}

function reasonOf(thrown: unknown): ServiceError {
	return thrown instanceof StageFailure ? thrown.reason : asServiceError(thrown);
}

/** What lies underneath, for the log: a client never sees it. */
function causeOf(thrown: unknown): string | null {
	const { cause } = reasonOf(thrown);
	return cause instanceof Error ? (cause.stack ?? cause.message) : null;
}

/** Creates memories that a client writes itself. They skip the stages of documents, are searchable at once, and get a source document. */

import { ageing } from "../model/ageing.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import { type ChunkId, type DocumentId, type MemoryId, newId, type OrganisationId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Embedder, Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import { newJob } from "../runtime/new-job.ts";
import { shorten } from "../text/cut-text.ts";
import { timesOf } from "./temporal.ts";

/** The title of the source document is the beginning of the first memory, at most this long. */
const titleCharactersMax = 80;
/** The request writes all of the source document itself; only if it was cut off is a job to end it. */
const ownWritesMs = 5_000;

export interface ClientMemory {
	readonly text: string;
	readonly isStatic: boolean;
	readonly metadata: Metadata;
	readonly forgetAfter: Date | null;
	readonly forgetReason: string | null;
}

export interface CreatedMemories {
	readonly document: DocumentId;
	readonly memories: readonly Memory[];
}

export interface WriteDependencies {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly world: World;
}

/**
 * The source document is published before the memories are saved. If the server is killed in between, the client gets no response and sends
 * the request again; then only a document with the same text is left over.
 */
export async function createMemories(
	containerTag: string,
	clientMemories: readonly ClientMemory[],
	organisation: OrganisationId,
	parts: WriteDependencies,
	step: Step,
): Promise<CreatedMemories> {
	const { tenant, embedder, world } = parts;
	const document = sourceDocument(containerTag, clientMemories, organisation, world);
	const chunks = clientMemories.map(
		({ text }, position): Chunk => ({
			id: newId<ChunkId>(world.randomBytes, world.now()),
			document: document.id,
			revision: 1,
			position,
			text,
			indexedText: text,
			place: {},
		}),
	);
	const vectors = await embedTexts(
		clientMemories.map(({ text }) => text),
		embedder,
		"document",
		step,
	);
	const embedded = chunks.flatMap((chunk, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ chunk, vector }];
	});
	const finishing = { ...newJob("ingest", document.id, organisation, world), notBefore: new Date(world.steadyNow().getTime() + ownWritesMs) };
	await tenant.documents.add(document, finishing);
	await tenant.documents.stage(document.id, 1, embedder.space, embedded);
	await tenant.documents.describe(document.id, 1, { title: shorten(clientMemories[0]?.text ?? null, titleCharactersMax) });
	await tenant.documents.publish(document.id, 1, world.now());
	const memories = embedded.map(({ chunk, vector }, i) => ({ memory: toMemory(containerTag, clientMemories[i], chunk, world), vector }));
	await tenant.memories.save(embedder.space, memories, []);
	await tenant.documents.setDreaming(document.id, 1, "done", world.now());
	await tenant.documents.move(document.id, 1, ["indexing"], "done", world.now());
	return { document: document.id, memories: memories.map(({ memory }) => memory) };
}

/** The source document. Its status is `indexing`, so that the job that is added with it finds it published and only marks it as done. */
function sourceDocument(containerTag: string, clientMemories: readonly ClientMemory[], organisation: OrganisationId, world: World): Document {
	const now = world.now();
	return {
		id: newId<DocumentId>(world.randomBytes, now),
		organisation,
		customId: null,
		containerTags: [containerTag],
		content: { kind: "text", text: clientMemories.map(({ text }) => text).join("\n"), mediaType: "text/plain" },
		metadata: {},
		filepath: null,
		taskType: "superrag",
		dreaming: "instant",
		neighbourFilter: null,
		writtenBy: null,
		status: "indexing",
		dreamingStatus: "done",
		revision: 1,
		publishedRevision: null,
		findings: { type: "text", title: null, summary: null, language: null, text: null, warnings: [], about: {} },
		failure: null,
		progress: null,
		createdAt: now,
		updatedAt: now,
	};
}

function toMemory(containerTag: string, clientMemories: ClientMemory | undefined, { id: chunk, document, text }: Chunk, world: World): Memory {
	const now = world.now();
	const dates = timesOf(clientMemories?.metadata ?? {});
	const forgetAfter = clientMemories?.forgetAfter ?? null;
	return {
		id: newId<MemoryId>(world.randomBytes, now),
		containerTag,
		text,
		isStatic: clientMemories?.isStatic ?? false,
		isInference: false,
		confidence: 1,
		subject: null,
		...dates,
		...ageing({ text, forgetAfter }, dates.saidAt ?? null, now),
		forgetAfter,
		evidence: [{ document, chunk, span: [0, text.length] }],
		version: 1,
		parent: null,
		root: null,
		isLatest: true,
		isForgotten: false,
		forgetReason: clientMemories?.forgetReason ?? null,
		metadata: clientMemories?.metadata ?? {},
		extractor: null,
		createdAt: now,
		updatedAt: now,
	};
}

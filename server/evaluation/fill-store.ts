/**
 * Adds a collection to the store through the ingest pipeline. A group, such as a chat, becomes one document in its own container,
 * with one chunk for each text of the group, so that results can be compared with relevance judgements of single turns.
 */

import { chunk } from "../../core/ingest/chunk.ts";
import { indexChunks, withVectors } from "../../core/ingest/embed-and-publish.ts";
import { extract } from "../../core/ingest/extract.ts";
import { receive } from "../../core/ingest/receive.ts";
import type { ChunkedDocument, ExtractedDocument } from "../../core/ingest/stage-results.ts";
import { createStep } from "../../core/language/step.ts";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import { type ChunkId, type DocumentId, newId, type OrganisationId } from "../../core/model/id.ts";
import type { Parts } from "../../core/parts.ts";
import type { Step } from "../../core/plugin/contract.ts";
import type { TenantStore } from "../../core/ports/storage.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { byGroup, type Collection, type CollectionDocument, wholeText } from "./collection.ts";
import type { FilledStore } from "./laboratory.ts";

interface FillContext {
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly parts: Parts;
	readonly step: Step;
}

/** Documents processed together, with shared batches for embedding and commits. */
const batchSize = 256;

export async function fill(collection: Collection, organisation: OrganisationId, parts: Parts, signal: AbortSignal): Promise<FilledStore> {
	const context = { organisation, tenant: parts.storage.organisation(organisation), parts, step: createStep(parts.world, signal) };
	const collectionIds = new Map<string, string>();
	const groupDocuments = new Map<string, DocumentId>();
	// Documents without text are left out: the pipeline would reject them.
	for (const [group, documents] of byGroup(collection.documents.filter((each) => wholeText(each).trim() !== ""))) {
		if (group === "") await addDocuments(documents, collectionIds, context);
		else groupDocuments.set(group, await addGroup(group, documents, collectionIds, context));
	}
	await parts.storage.maintain(signal);
	return { organisation, collectionIds, groupDocuments };
}

async function addDocuments(documents: readonly CollectionDocument[], collectionIds: Map<string, string>, context: FillContext): Promise<void> {
	for (let start = 0; start < documents.length; start += batchSize) {
		const chunked = await Promise.all(
			documents.slice(start, start + batchSize).map(async (each) => {
				const chunkedDocument = await splitIntoChunks(await extractText(wholeText(each), [], context), context);
				collectionIds.set(chunkedDocument.document.id, each.id);
				return chunkedDocument;
			}),
		);
		await index(chunked, context);
	}
}

async function addGroup(
	group: string,
	documents: readonly CollectionDocument[],
	collectionIds: Map<string, string>,
	context: FillContext,
): Promise<DocumentId> {
	const extracted = await extractText(documents.map(wholeText).join("\n\n"), [group], context);
	const chunks = documents.map((each, position) => {
		const chunk = chunkOf(extracted.document, wholeText(each), position, context);
		collectionIds.set(chunk.id, each.id);
		return chunk;
	});
	await index([{ ...extracted, chunks }], context);
	return extracted.document.id;
}

async function extractText(text: string, containerTags: readonly string[], { organisation, tenant, parts, step }: FillContext): Promise<ExtractedDocument> {
	const request = { customId: null, containerTags, metadata: {}, filepath: null, taskType: "superrag", dreaming: "dynamic" } as const;
	const document = await receive({ ...request, content: { kind: "text", text, mediaType: "text/plain" } }, organisation, tenant, parts.world);
	return extract({ document }, { ...parts, blobs: tenant.blobs }, step);
}

function splitIntoChunks(extracted: ExtractedDocument, { parts, step }: FillContext): Promise<ChunkedDocument> {
	return chunk(extracted, null, parts, step);
}

function chunkOf({ id, revision }: Document, text: string, position: number, { parts }: FillContext): Chunk {
	return { id: newId<ChunkId>(parts.world.randomBytes), document: id, revision, position, text, indexedText: text, place: {} };
}

async function index(chunked: readonly ChunkedDocument[], { tenant, parts, step }: FillContext): Promise<void> {
	const texts = chunked.flatMap(({ chunks }) => chunks.map(({ indexedText }) => indexedText));
	const vectors = await embedTexts(texts, parts.embedder, "document", step);
	let vectorIndex = 0;
	await Promise.all(
		chunked.map((each) => {
			const documentVectors = vectors.slice(vectorIndex, vectorIndex + each.chunks.length);
			vectorIndex += each.chunks.length;
			const { id, revision } = each.document;
			return indexChunks(
				{ ...each, staged: tenant.documents.stage(id, revision, parts.embedder.space, withVectors(each.chunks, documentVectors)) },
				tenant,
				parts.world,
			);
		}),
	);
}

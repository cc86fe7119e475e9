/**
 * Adds a collection to the store through the pipeline. A group, such as a chat, becomes one document in a container of its own,
 * with one chunk for each text, so that results can be compared with judgements of single turns.
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
import type { Filled } from "./laboratory.ts";

interface Place {
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly parts: Parts;
	readonly step: Step;
}

/** Documents processed together, with shared batches for embedding and commits. */
const atOnce = 256;

export async function fill(collection: Collection, organisation: OrganisationId, parts: Parts, signal: AbortSignal): Promise<Filled> {
	const place = { organisation, tenant: parts.storage.organisation(organisation), parts, step: createStep(parts.world, signal) };
	const idOf = new Map<string, string>();
	const groups = new Map<string, DocumentId>();
	// A document without text fails and cannot be found.
	for (const [group, documents] of byGroup(collection.documents.filter((each) => wholeText(each).trim() !== ""))) {
		if (group === "") await fillApart(documents, idOf, place);
		else groups.set(group, await fillGroup(group, documents, idOf, place));
	}
	await parts.storage.maintain(signal);
	return { organisation, idOf, groups };
}

async function fillApart(documents: readonly CollectionDocument[], idOf: Map<string, string>, place: Place): Promise<void> {
	for (let start = 0; start < documents.length; start += atOnce) {
		const chunked = await Promise.all(
			documents.slice(start, start + atOnce).map(async (each) => {
				const cut = await cutUp(await extractText(wholeText(each), [], place), place);
				idOf.set(cut.document.id, each.id);
				return cut;
			}),
		);
		await index(chunked, place);
	}
}

async function fillGroup(group: string, documents: readonly CollectionDocument[], idOf: Map<string, string>, place: Place): Promise<DocumentId> {
	const extracted = await extractText(documents.map(wholeText).join("\n\n"), [group], place);
	const chunks = documents.map((each, position) => {
		const chunk = chunkOf(extracted.document, wholeText(each), position, place);
		idOf.set(chunk.id, each.id);
		return chunk;
	});
	await index([{ ...extracted, chunks }], place);
	return extracted.document.id;
}

async function extractText(text: string, containerTags: readonly string[], { organisation, tenant, parts, step }: Place): Promise<ExtractedDocument> {
	const request = { customId: null, containerTags, metadata: {}, filepath: null, taskType: "superrag", dreaming: "dynamic" } as const;
	const document = await receive({ ...request, content: { kind: "text", text, mediaType: "text/plain" } }, organisation, tenant, parts.world);
	return extract({ document }, { ...parts, blobs: tenant.blobs }, step);
}

function cutUp(extracted: ExtractedDocument, { parts, step }: Place): Promise<ChunkedDocument> {
	return chunk(extracted, null, parts, step);
}

function chunkOf({ id, revision }: Document, text: string, position: number, { parts }: Place): Chunk {
	return { id: newId<ChunkId>(parts.world.randomBytes), document: id, revision, position, text, indexedText: text, place: {} };
}

async function index(chunked: readonly ChunkedDocument[], { tenant, parts, step }: Place): Promise<void> {
	const texts = chunked.flatMap(({ chunks }) => chunks.map(({ indexedText }) => indexedText));
	const vectors = await embedTexts(texts, parts.embedder, "document", step);
	let at = 0;
	await Promise.all(
		chunked.map((each) => {
			const own = vectors.slice(at, at + each.chunks.length);
			at += each.chunks.length;
			const { id, revision } = each.document;
			return indexChunks({ ...each, staged: tenant.documents.stage(id, revision, parts.embedder.space, withVectors(each.chunks, own)) }, tenant, parts.world);
		}),
	);
}

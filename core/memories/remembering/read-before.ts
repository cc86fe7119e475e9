/**
 * Finds the part of a conversation that was not read for memories before. A conversation grows message by message: a part that was read and
 * has not changed is not read again, and its memories stay as they are, with the new ids of their chunks.
 */

import { isConversation } from "../../ingest/converse.ts";
import type { Digest } from "../../language/fingerprint.ts";
import type { ModelGateway } from "../../language/model-gateway.ts";
import type { Chunk } from "../../model/chunk.ts";
import type { Document } from "../../model/document.ts";
import type { ChunkId } from "../../model/id.ts";
import type { Json } from "../../model/json.ts";
import type { Evidence, Memory, MemoryDraft } from "../../model/memory.ts";
import type { MemoryExtractor } from "../../plugin/contract.ts";
import type { TenantStore } from "../../ports/storage.ts";
import type { World } from "../../ports/world.ts";
import { extractorIdentity } from "../extractor-identity.ts";
import type { Settled } from "../settle.ts";

/** How many chunks before the new part the rules need, to know who speaks and which question is answered. */
const contextChunks = 1;
/** How long the record is stored. A conversation that is continued later than this is read again as a whole. */
const retentionMs = 90 * 24 * 60 * 60_000;

export interface ReadBeforeParts {
	readonly tenant: TenantStore;
	readonly memoryExtractors: readonly MemoryExtractor[];
	readonly modelGateway: ModelGateway | null;
	readonly digest: Digest;
	readonly world: World;
}

export interface Unread {
	/** The chunks to read, including context from before. */
	readonly chunks: readonly Chunk[];
	/** Whether a draft has evidence that was not read before. */
	readonly isNews: (draft: MemoryDraft) => boolean;
	/** From the id of a chunk when it was read to the id of the chunk that has the same text now. */
	readonly moved: ReadonlyMap<ChunkId, ChunkId>;
}

interface ReadRecord {
	/** The memory extractors that read it, and the containers that it was read for. */
	readonly by: string;
	readonly containerTags: readonly string[];
	readonly chunks: readonly (readonly [id: string, words: string])[];
}

/** The part that is to be read; null for the whole document. */
export async function findUnread(
	document: Document,
	chunks: readonly Chunk[],
	containerTags: readonly string[],
	former: readonly Memory[],
	parts: ReadBeforeParts,
): Promise<Unread | null> {
	if (!isConversation(document)) return null;
	const readRecord = (await parts.tenant.records.get("read-chunks", document.id, parts.world.now()))?.value as unknown as ReadRecord | undefined;
	if (readRecord === undefined || readRecord.by !== readerIdentity(parts) || containerTags.some((tag) => !readRecord.containerTags.includes(tag))) return null;
	const firstChanged = chunks.findIndex((chunk, i) => readRecord.chunks[i]?.[1] !== textDigest(chunk, document, parts));
	const unchangedCount = firstChanged < 0 ? chunks.length : firstChanged;
	const knownChunks = new Set<string>([...readRecord.chunks.map(([id]) => id), ...chunks.map(({ id }) => id)]);
	const isKnown = ({ evidence }: Memory) => evidence.every((one) => one.document !== document.id || knownChunks.has(one.chunk));
	if (unchangedCount === 0 || !former.every(isKnown)) return null;
	const unchangedChunks = new Set(chunks.slice(0, unchangedCount).map(({ id }) => id));
	return {
		chunks: unchangedCount === chunks.length ? [] : chunks.slice(Math.max(0, unchangedCount - contextChunks)),
		isNews: ({ evidence }) => evidence.some(({ chunk }) => !unchangedChunks.has(chunk)),
		moved: new Map(chunks.slice(0, unchangedCount).map(({ id }, i) => [readRecord.chunks[i]?.[0] as ChunkId, id])),
	};
}

/** The memory with the current ids of its chunks. */
export function withNewChunkIds(memory: Memory, { moved }: Unread): Memory {
	const evidence = memory.evidence.map((one): Evidence => ({ ...one, chunk: moved.get(one.chunk) ?? one.chunk }));
	return { ...memory, evidence };
}

/** Memories keep their evidence in the part that was not read again, whatever was found in the new part. */
export function keepEvidenceOfUnchanged<Found extends Pick<Settled, "grounds" | "gone">>(
	settled: Found,
	{ id }: Document,
	former: readonly Memory[],
	unread: Unread,
): Found {
	const current = new Set(unread.moved.values());
	const found = new Map(settled.grounds.map(({ memory, evidence }) => [memory, evidence]));
	const gone = new Set(settled.gone);
	const grounds = new Map(found);
	for (const memory of former) {
		const before = memory.evidence.filter(({ document }) => document === id);
		const moved = withNewChunkIds({ ...memory, evidence: before }, unread).evidence;
		const kept = moved.filter(({ chunk }) => current.has(chunk));
		if (kept.length === 0) continue;
		const rest = found.get(memory.id) ?? (gone.has(memory.id) ? [] : moved);
		const evidence = [...new Map([...kept, ...rest].map((one) => [`${one.chunk} ${one.span}`, one])).values()];
		gone.delete(memory.id);
		if (JSON.stringify(evidence) !== JSON.stringify(before)) grounds.set(memory.id, evidence);
	}
	return { ...settled, grounds: [...grounds].map(([memory, evidence]) => ({ memory, evidence })), gone: [...gone] };
}

/** Stores what was read, once all its memories are saved. */
export async function storeReadRecord(document: Document, chunks: readonly Chunk[], containerTags: readonly string[], parts: ReadBeforeParts): Promise<void> {
	if (!isConversation(document)) return;
	const { tenant, world } = parts;
	const readRecord: ReadRecord = { by: readerIdentity(parts), containerTags, chunks: chunks.map((chunk) => [chunk.id, textDigest(chunk, document, parts)]) };
	const expiresAt = new Date(world.now().getTime() + retentionMs);
	await tenant.records.put("read-chunks", document.id, readRecord as unknown as Json, { expected: null, expiresAt, now: world.now() });
}

function readerIdentity({ memoryExtractors, modelGateway }: ReadBeforeParts): string {
	return `${extractorIdentity(memoryExtractors)} ${modelGateway?.name ?? ""}`;
}

/** A digest by which texts of this conversation are told apart. It reveals nothing about the text. */
function textDigest({ text }: Chunk, { id }: Document, { digest }: ReadBeforeParts): string {
	return digest(`${id} ${text}`).slice(0, 24);
}

/**
 * What of a conversation was read for memories before. It grows message by message: what was read and has not changed is not read
 * again, and its memories stay as they are, under the new ids of their chunks.
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

/** What the rules need from before: who speaks, and the question that is answered. */
const contextChunks = 1;
/** A conversation that nobody has gone on with for so long is read as a whole again. */
const keptMs = 90 * 24 * 60 * 60_000;

export interface ReadBeforeParts {
	readonly tenant: TenantStore;
	readonly memoryExtractors: readonly MemoryExtractor[];
	readonly modelGateway: ModelGateway | null;
	readonly digest: Digest;
	readonly world: World;
}

export interface Unread {
	/** What is to be read, with what it needs from before. */
	readonly chunks: readonly Chunk[];
	/** Whether it says something that was not read before. */
	readonly isNews: (draft: MemoryDraft) => boolean;
	/** By its id when it was read, the chunk with the same words. */
	readonly moved: ReadonlyMap<ChunkId, ChunkId>;
}

interface Note {
	/** By which memory extractors, and for which containers. */
	readonly by: string;
	readonly containerTags: readonly string[];
	readonly chunks: readonly (readonly [id: string, words: string])[];
}

/** Null where all of it is to be read. */
export async function unreadOf(
	document: Document,
	chunks: readonly Chunk[],
	containerTags: readonly string[],
	former: readonly Memory[],
	parts: ReadBeforeParts,
): Promise<Unread | null> {
	if (!isConversation(document)) return null;
	const note = (await parts.tenant.records.get("read-chunks", document.id, parts.world.now()))?.value as unknown as Note | undefined;
	if (note === undefined || note.by !== readersOf(parts) || containerTags.some((tag) => !note.containerTags.includes(tag))) return null;
	const differing = chunks.findIndex((chunk, i) => note.chunks[i]?.[1] !== wordsOf(chunk, document, parts));
	const same = differing < 0 ? chunks.length : differing;
	const known = new Set<string>([...note.chunks.map(([id]) => id), ...chunks.map(({ id }) => id)]);
	const isKnown = ({ evidence }: Memory) => evidence.every((one) => one.document !== document.id || known.has(one.chunk));
	if (same === 0 || !former.every(isKnown)) return null;
	const old = new Set(chunks.slice(0, same).map(({ id }) => id));
	return {
		chunks: same === chunks.length ? [] : chunks.slice(Math.max(0, same - contextChunks)),
		isNews: ({ evidence }) => evidence.some(({ chunk }) => !old.has(chunk)),
		moved: new Map(chunks.slice(0, same).map(({ id }, i) => [note.chunks[i]?.[0] as ChunkId, id])),
	};
}

/** A memory with the ids that its chunks have now. */
export function withMoved(memory: Memory, { moved }: Unread): Memory {
	const evidence = memory.evidence.map((one): Evidence => ({ ...one, chunk: moved.get(one.chunk) ?? one.chunk }));
	return { ...memory, evidence };
}

/** What rests on words that were not read again rests on them still, whatever else was found. */
export function carriedOver<Found extends Pick<Settled, "grounds" | "gone">>(
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
		const moved = withMoved({ ...memory, evidence: before }, unread).evidence;
		const kept = moved.filter(({ chunk }) => current.has(chunk));
		if (kept.length === 0) continue;
		const rest = found.get(memory.id) ?? (gone.has(memory.id) ? [] : moved);
		const evidence = [...new Map([...kept, ...rest].map((one) => [`${one.chunk} ${one.span}`, one])).values()];
		gone.delete(memory.id);
		if (JSON.stringify(evidence) !== JSON.stringify(before)) grounds.set(memory.id, evidence);
	}
	return { ...settled, grounds: [...grounds].map(([memory, evidence]) => ({ memory, evidence })), gone: [...gone] };
}

/** When all that it says is saved. */
export async function noteRead(document: Document, chunks: readonly Chunk[], containerTags: readonly string[], parts: ReadBeforeParts): Promise<void> {
	if (!isConversation(document)) return;
	const { tenant, world } = parts;
	const note: Note = { by: readersOf(parts), containerTags, chunks: chunks.map((chunk) => [chunk.id, wordsOf(chunk, document, parts)]) };
	const expiresAt = new Date(world.now().getTime() + keptMs);
	await tenant.records.put("read-chunks", document.id, note as unknown as Json, { expected: null, expiresAt, now: world.now() });
}

function readersOf({ memoryExtractors, modelGateway }: ReadBeforeParts): string {
	return `${extractorIdentity(memoryExtractors)} ${modelGateway?.name ?? ""}`;
}

/** Tells texts of this conversation apart, and says nothing of them to who does not have them. */
function wordsOf({ text }: Chunk, { id }: Document, { digest }: ReadBeforeParts): string {
	return digest(`${id} ${text}`).slice(0, 24);
}

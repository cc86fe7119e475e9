/**
 * Leaves out results of a memory search that repeat an earlier result. A chunk and the memories extracted from it say the same, so only
 * the one with the higher score is shown.
 */

import type { Chunk } from "../model/chunk.ts";
import type { ChunkId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { ChunkReader } from "./chunk-reader.ts";
import { keyOf } from "./read-memories.ts";

interface Scored {
	readonly score: number;
	/** Its relevance without the evidence of the texts around it. */
	readonly own: number;
}
export type FoundText = Scored & { readonly kind: "memory"; readonly memory: Memory };
/** A chunk whose text is not read yet. */
export type FoundPlace = Scored & { readonly kind: "chunk"; readonly id: ChunkId };
export type Pooled = (FoundText & { readonly text: string }) | (Scored & { readonly kind: "chunk"; readonly text: string; readonly chunk: Chunk });

/** A chunk is left out if earlier memories cite so much of it that less than this share is left. */
const newShareMin = 0.2;

/**
 * Reads texts until there are `wanted` distinct results, or no more candidates.
 *
 * @param found best first
 * @param areChunksWhole whether chunks are shown whole, so that they repeat their memories
 */
export async function distinct(
	found: readonly (FoundText | FoundPlace)[],
	wanted: number,
	reader: ChunkReader,
	areChunksWhole: boolean,
): Promise<readonly Pooled[]> {
	const seen = new Set<string>();
	const shown: Shown = { chunks: new Set(), spans: new Map() };
	const pool: Pooled[] = [];
	for (let start = 0; start < found.length && pool.length < wanted; ) {
		const part = found.slice(start, start + wanted);
		await reader.read(part.flatMap((each) => (each.kind === "chunk" ? [each.id] : [])));
		for (const item of part.flatMap((each) => withText(each, reader))) {
			const key = keyOf(item);
			if (seen.has(key) || (areChunksWhole && isRepeated(item, shown))) continue;
			seen.add(key);
			note(item, shown);
			pool.push(item);
		}
		start += part.length;
	}
	return pool;
}

/** The results so far. */
interface Shown {
	readonly chunks: Set<ChunkId>;
	/** The spans that memories cite, by chunk. */
	readonly spans: Map<ChunkId, (readonly [number, number])[]>;
}

function isRepeated(item: Pooled, { chunks, spans }: Shown): boolean {
	if (item.kind === "memory")
		return !isCorrection(item.memory) && item.memory.evidence.length > 0 && item.memory.evidence.every(({ chunk }) => chunks.has(chunk));
	const cited = spans.get(item.chunk.id);
	return cited !== undefined && item.text.length - lengthOf(cited) < item.text.length * newShareMin;
}

/** It has the evidence of what it corrects, and says something else. */
export function isCorrection({ extractor, parent }: Memory): boolean {
	return extractor === null && parent !== null;
}

function note(item: Pooled, { chunks, spans }: Shown): void {
	if (item.kind === "chunk") chunks.add(item.chunk.id);
	else for (const { chunk, span } of item.memory.evidence) spans.set(chunk, [...(spans.get(chunk) ?? []), span]);
}

/** How many characters the spans cover together. They may overlap. */
function lengthOf(spans: readonly (readonly [number, number])[]): number {
	let [length, reached] = [0, 0];
	for (const [begin, end] of spans.toSorted(([a], [b]) => a - b)) {
		length += Math.max(0, end - Math.max(begin, reached));
		reached = Math.max(reached, end);
	}
	return length;
}

/** The candidate with its text; none if the chunk no longer exists. */
function withText(found: FoundText | FoundPlace, reader: ChunkReader): readonly Pooled[] {
	if (found.kind === "memory") return [{ ...found, text: found.memory.text }];
	const chunk = reader.known(found.id);
	return chunk === undefined ? [] : [{ kind: "chunk", text: chunk.text, score: found.score, own: found.own, chunk }];
}

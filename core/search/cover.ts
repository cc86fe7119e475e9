/**
 * Scores the best candidates again with how much of the query they cover. For that their texts are read. A memory is one sentence, and the
 * text around its evidence often names what it is about, so the words around the evidence count too.
 */

import type { MemoryId } from "../model/id.ts";
import { indexedTextOf, type Memory } from "../model/memory.ts";
import type { Embedder } from "../plugin/contract.ts";
import type { ChunkHit, Hit } from "../ports/vector-search.ts";
import { coverages, type SurroundedText } from "../ranking/coverage.ts";
import { byRelevance, type Candidate } from "../ranking/fuse.ts";
import { relevance } from "../ranking/relevance.ts";
import type { ChunkReader } from "./chunk-reader.ts";

type WordTable = Pick<Embedder, "space" | "wordVector">;

/** Memories at later ranks hardly ever become one of the first, and each takes 0.03 ms. */
const memoriesMax = 60;
/** Fewer than memories, because chunks are long. Most of these are read anyway, to show them. */
const chunksMax = 15;
/** Only the beginning of a longer text is compared. */
const charactersMax = 2_000;
/** How much of the chunk before and after the evidence is compared as well: one or two sentences. */
const aroundCharacters = 150;

/** Best first. @param memories those that were read */
export async function coverMemories(
	candidates: readonly Candidate<Hit<MemoryId>>[],
	memories: ReadonlyMap<MemoryId, Memory>,
	reader: ChunkReader,
	table: WordTable,
): Promise<readonly Candidate<Hit<MemoryId>>[]> {
	const best = candidates.slice(0, memoriesMax);
	await reader.read(best.flatMap(({ hit }) => memories.get(hit.id)?.evidence.at(-1)?.chunk ?? []));
	return covered(candidates, new Map(best.map(({ hit }) => [hit.id, surrounded(memories.get(hit.id), reader)])), table);
}

/** Best first. */
export async function coverChunks(candidates: readonly Candidate<ChunkHit>[], reader: ChunkReader, table: WordTable): Promise<readonly Candidate<ChunkHit>[]> {
	const best = candidates.slice(0, chunksMax).map(({ hit }) => hit.id);
	await reader.read(best);
	return covered(candidates, new Map(best.map((id) => [id, { own: reader.known(id)?.indexedText.slice(0, charactersMax) ?? "", around: "" }])), table);
}

/** Candidates without a text count as covering nothing, so they stay behind the others. */
function covered<AnyHit extends Hit<string>>(
	candidates: readonly Candidate<AnyHit>[],
	texts: ReadonlyMap<string, SurroundedText>,
	{ space, wordVector }: WordTable,
): readonly Candidate<AnyHit>[] {
	const shares = new Map<string, number>();
	const compared = candidates.filter(({ hit }) => texts.has(hit.id));
	for (const [{ words }, some] of Map.groupBy(compared, ({ variant }) => variant)) {
		const all = coverages(
			words,
			some.map(({ hit }) => texts.get(hit.id) ?? nothing),
			wordVector ?? null,
		);
		for (const [i, { hit }] of some.entries()) shares.set(hit.id, all[i] ?? 0);
	}
	return candidates
		.map((candidate) => {
			const evidence = { ...candidate.evidence, covered: shares.get(candidate.hit.id) ?? 0 };
			return { ...candidate, evidence, score: candidate.variant.trust * relevance(evidence, space) };
		})
		.sort(byRelevance);
}

const nothing: SurroundedText = { own: "", around: "" };

/** A memory with the text around its evidence. If it has evidence in several chunks, the last one is used, because it is the newest. */
function surrounded(memory: Memory | undefined, reader: ChunkReader): SurroundedText {
	if (memory === undefined) return nothing;
	const evidence = memory.evidence.at(-1);
	const text = evidence === undefined ? undefined : reader.known(evidence.chunk)?.text;
	const around = text === undefined || evidence === undefined ? "" : textAround(text, evidence.span);
	return { own: indexedTextOf(memory).slice(0, charactersMax), around };
}

function textAround(text: string, [begin, end]: readonly [number, number]): string {
	// A word that is cut is left out.
	const before = text.slice(Math.max(0, begin - aroundCharacters), begin).replace(begin > aroundCharacters ? /^\S*/ : "", "");
	const after = text.slice(end, end + aroundCharacters).replace(end + aroundCharacters < text.length ? /\S*$/ : "", "");
	return `${before} ${after}`;
}

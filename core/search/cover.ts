/**
 * Raises the best of what was found by how much of the query it covers: texts are read for it, which the word index and the vectors did
 * not need. A memory is one sentence, and what it speaks of is often named beside it, so the words around its evidence count too.
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

/** From further down hardly any comes among the first, and each costs a thirtieth of a millisecond. */
const memoriesMax = 60;
/** Chunks are long, and most of them are read for being shown. */
const chunksMax = 15;
/** A longer text is compared by its beginning. */
const charactersMax = 2_000;
/** So much of the chunk before and after the evidence is around a memory: a sentence or two. */
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

/** What is not among the texts covers nothing, and so stays behind them. */
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

/** Of several sources the last: it is the one that is current. */
function surrounded(memory: Memory | undefined, reader: ChunkReader): SurroundedText {
	if (memory === undefined) return nothing;
	const evidence = memory.evidence.at(-1);
	const text = evidence === undefined ? undefined : reader.known(evidence.chunk)?.text;
	const around = text === undefined || evidence === undefined ? "" : textAround(text, evidence.span);
	return { own: indexedTextOf(memory).slice(0, charactersMax), around };
}

function textAround(text: string, [begin, end]: readonly [number, number]): string {
	// A word that is cut off is none.
	const before = text.slice(Math.max(0, begin - aroundCharacters), begin).replace(begin > aroundCharacters ? /^\S*/ : "", "");
	const after = text.slice(end, end + aroundCharacters).replace(end + aroundCharacters < text.length ? /\S*$/ : "", "");
	return `${before} ${after}`;
}

/** Storages that find too little, too much, or in another place. */

import { type ChunkHit, type Filter, type QueryTerm, type Scope, type WordSearch, wholeOrganisation } from "cairn-memory/stores";
import { type StorageMutant, spoilTenant, spoilVectors, spoilWords } from "./spoil.ts";

function withoutNegation(filter: Filter): Filter {
	return filter.kind === "and" || filter.kind === "or" ? { ...filter, parts: filter.parts.map(withoutNegation) } : { ...filter, negate: false };
}

function heedlessOfNegation(scope: Scope): Scope {
	return { ...scope, filter: scope.filter === null ? null : withoutNegation(scope.filter) };
}

function heedlessOfCase(scope: Scope): Scope {
	const { filter } = scope;
	return filter !== null && "ignoreCase" in filter ? { ...scope, filter: { ...filter, ignoreCase: true } } : scope;
}

function spoilHits(spoil: (hits: readonly ChunkHit[]) => readonly ChunkHit[]): (words: WordSearch) => Pick<WordSearch, "matchChunks"> {
	return ({ matchChunks }) => ({
		matchChunks: async (...asked) => {
			const matched = await matchChunks(...asked);
			return { ...matched, hits: spoil(matched.hits) };
		},
	});
}

export const searchMutants: readonly StorageMutant[] = [
	{
		name: "ignores negate",
		breaks: "filters: 500 random filters choose chunks by words as matches() does",
		spoil: spoilWords(({ matchChunks }) => ({ matchChunks: (words, scope, limit) => matchChunks(words, heedlessOfNegation(scope), limit) })),
	},
	{
		name: "ignores the case of filters",
		breaks: "filters: 500 random filters choose chunks by vector as matches() does",
		spoil: spoilVectors(({ nearestChunks }) => ({ nearestChunks: (query, scope, limit) => nearestChunks(query, heedlessOfCase(scope), limit) })),
	},
	{
		name: "ignores expiry",
		breaks: "memories: replaced, forgotten and expired memories are invisible unless asked for",
		spoil: spoilVectors(({ nearestMemories }) => ({
			nearestMemories: (query, memoryFilter, limit) => nearestMemories(query, { ...memoryFilter, now: new Date(0) }, limit),
		})),
	},
	{
		name: "answers many queries with what the first one finds",
		breaks: "vectors: many queries find together what each finds alone",
		spoil: spoilVectors(({ nearestMemoriesOfEach }) => ({
			nearestMemoriesOfEach: async (queries, memoryFilter, limit) => {
				const [first = []] = await nearestMemoriesOfEach(queries, memoryFilter, limit);
				return queries.map(() => first);
			},
		})),
	},
	{
		name: "shows what was forgotten",
		breaks: "memories: replaced, forgotten and expired memories are invisible unless asked for",
		spoil: spoilWords(({ matchMemories }) => ({
			matchMemories: (words, memoryFilter, limit) => matchMemories(words, { ...memoryFilter, includeForgotten: true }, limit),
		})),
	},
	{
		name: "answers one result too few",
		breaks: "vectors: the nearest of 500 chunks are those that brute force finds",
		spoil: spoilVectors(({ nearestChunks }) => ({ nearestChunks: (query, scope, limit) => nearestChunks(query, scope, limit - 1) })),
	},
	{
		name: "filters after it has chosen the nearest",
		breaks: "vectors: a narrow scope gives as many as there are, up to the limit",
		spoil: spoilVectors(({ nearestChunks }) => ({
			nearestChunks: async (query, scope, limit) => {
				const inScope = new Set((await nearestChunks(query, scope, 1_000)).map(({ id }) => id));
				return (await nearestChunks(query, wholeOrganisation, limit)).filter(({ id }) => inScope.has(id));
			},
		})),
	},
	{
		name: "compares two spaces",
		breaks: "vectors: two spaces are never compared",
		spoil: spoilTenant(({ vectors }) => ({ vectors: (space) => vectors({ ...space, name: "sample-1" }) })),
	},
	{
		name: "scores above 1",
		breaks: "words: scores lie between 0 and 1 and never rise",
		spoil: spoilWords(spoilHits((hits) => hits.map((hit) => ({ ...hit, score: hit.score * 2.2 })))),
	},
	{
		name: "scores by the place in the ranking",
		breaks: "words: the score of one word is what BM25 says",
		spoil: spoilWords(spoilHits((hits) => hits.map((hit, i) => ({ ...hit, score: 1 / (i + 1) })))),
	},
	{
		name: "answers the worst first",
		breaks: "words: the better match comes first",
		spoil: spoilWords(spoilHits((hits) => hits.toReversed())),
	},
	{
		name: "never has read all",
		breaks: "words: it is told when all is read",
		spoil: spoilWords(({ matchChunks }) => ({ matchChunks: async (...asked) => ({ ...(await matchChunks(...asked)), isWhole: false }) })),
	},
	{
		name: "looks for single characters of Chinese only",
		breaks: "words: words of two characters are found where no spaces are written, and Latin glued to them",
		spoil: spoilWords(({ matchChunks }) => ({
			matchChunks: (words, scope, limit) =>
				matchChunks(
					words.flatMap((word) => (typeof word === "string" && /\p{Script=Han}/u.test(word) ? [...word] : [word])),
					scope,
					limit,
				),
		})),
	},
	{
		name: "takes words as they are spelled",
		breaks: "languages: a word is found in another form where its language has a stemmer",
		spoil: spoilWords(({ matchChunks }) => ({ matchChunks: (words, scope, limit) => matchChunks(words.map(wordAlone), scope, limit) })),
	},
	{
		name: "takes no mistyped word for another",
		breaks: "languages: a mistyped word is taken for what was meant",
		spoil: spoilWords(({ matchChunks }) => ({ matchChunks: (words, scope, limit) => matchChunks(words.map(wordAlone), scope, limit) })),
	},
	{
		name: "counts added words in full",
		breaks: "languages: what was added counts little, and nothing of the full score",
		spoil: spoilWords(({ matchChunks }) => ({ matchChunks: (words, scope, limit) => matchChunks(words.map(wordAlone), scope, limit) })),
	},
];

function wordAlone(term: QueryTerm): QueryTerm {
	return typeof term === "string" ? term : term.word;
}

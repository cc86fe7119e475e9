/** Storages that mix up versions, sources and what was forgotten. */

import { type StorageMutant, spoilMemories } from "./spoil.ts";

export const memoryMutants: readonly StorageMutant[] = [
	{
		name: "indexes what a memory shows",
		breaks: "words: what is indexed is the indexed text",
		spoil: spoilMemories(({ save }) => ({
			save: (space, saved, edges) =>
				save(
					space,
					saved.map(({ memory: { indexedText: _indexedText, ...memory }, vector }) => ({ memory, vector })),
					edges,
				),
		})),
	},
	{
		name: "tells all edges of a memory",
		breaks: "memories: of many edges the newest are told, some of each relation at either end",
		spoil: spoilMemories(({ edges }) => ({ newestEdges: edges })),
	},
	{
		name: "tells edges from after the moment",
		breaks: "memories: no edge is told of a memory that was made after the moment",
		spoil: spoilMemories(({ newestEdges }) => ({ newestEdges: (ids, limit) => newestEdges(ids, limit, null) })),
	},
	{
		name: "adds new ground to the old one",
		breaks: "memories: new ground takes the place of the old one of the same document, and changes nothing else",
		spoil: spoilMemories(({ reground, support }) => ({
			reground: async (document, grounds, gone, now) => {
				for (const { memory, evidence } of grounds) await support(memory, evidence, now);
				await reground(document, [], gone, now);
			},
		})),
	},
	{
		name: "takes back all that a document said",
		breaks: "memories: what is gone is taken back, and only that",
		spoil: spoilMemories(({ reground, ofDocument }) => ({
			reground: async (document, grounds, _gone, now) => {
				const all = (await ofDocument(document)).map(({ id }) => id);
				await reground(document, grounds, all, now);
			},
		})),
	},
	{
		name: "moves more memories than it was asked to",
		breaks: "memories: all memories of a container move to another, so many at a time, with their versions",
		spoil: spoilMemories(({ rehome }) => ({ rehome: (from, to, limit, now) => rehome(from, to, 10 * limit, now) })),
	},
	{
		name: "lets in what came too late",
		breaks: "memories: a drawn memory is saved only where one of its documents is, and brings no container back",
		spoil: spoilMemories(({ save }) => ({
			save: (space, memories, edges) =>
				save(
					space,
					memories.map(({ memory, vector }) => ({ memory: { ...memory, extractor: null }, vector })),
					edges,
				),
		})),
	},
	{
		name: "saves a part of what it refuses",
		breaks: "memories: a second save that updates the same memory saves nothing",
		spoil: spoilMemories(({ save }) => ({
			save: async (space, memories, edges) => {
				if (await save(space, memories, edges)) return true;
				await save(space, memories, []);
				return false;
			},
		})),
	},
	{
		name: "loses an update when two race",
		breaks: "memories: of two racing saves that update one memory exactly one wins",
		spoil: spoilMemories(({ save }) => ({ save: async (space, memories, edges) => (await save(space, memories, edges)) || save(space, memories, []) })),
	},
	{
		name: "saves the new version of a memory where it no longer is",
		breaks: "memories: a version of a memory that has moved away is not saved, and brings no container back",
		spoil: spoilMemories(({ save, get }) => ({
			save: async (space, memories, edges) => {
				const tags = new Set(memories.map(({ memory }) => memory.containerTag));
				const elsewhere = new Set((await get(edges.map(({ to }) => to))).flatMap(({ id, containerTag }) => (tags.has(containerTag) ? [] : [id])));
				return save(
					space,
					memories,
					edges.filter(({ to }) => !elsewhere.has(to)),
				);
			},
		})),
	},
	{
		name: "leaves what was replaced the latest",
		breaks: "memories: what an updates edge points to is no longer the latest",
		spoil: spoilMemories(({ save }) => ({
			save: (space, memories, edges) =>
				save(
					space,
					memories,
					edges.filter(({ relation }) => relation !== "updates"),
				),
		})),
	},
	{
		name: "takes every edge for an update",
		breaks: "memories: extends and derives retire nothing",
		spoil: spoilMemories(({ save }) => ({
			save: (space, memories, edges) =>
				save(
					space,
					memories,
					edges.map((edge) => ({ ...edge, relation: "updates" })),
				),
		})),
	},
	{
		name: "counts what was forgotten already",
		breaks: "memories: forgetting counts each memory once",
		spoil: spoilMemories(({ forget }) => ({
			forget: async (ids, reason, now) => {
				await forget(ids, reason, now);
				return ids.length;
			},
		})),
	},
	{
		name: "keeps what it should take back",
		breaks: "memories: retracting takes what the document alone supported, and keeps what is shared",
		spoil: spoilMemories(() => ({ reground: async () => {} })),
	},
	{
		name: "goes on after a time and forgets the id",
		breaks: "memories: a walk meets all that stays exactly once, whatever comes and goes",
		spoil: spoilMemories(({ list }) => ({
			list: (scope, latestOnly, { after, ...page }) =>
				list(scope, latestOnly, { ...page, ...(after === undefined ? {} : { after: { ...after, id: page.order === "asc" ? "~" : "" } }) }),
		})),
	},
	{
		name: "tells edges from their beginning only",
		breaks: "memories: edges are told from both ends",
		spoil: spoilMemories(({ edges }) => ({ edges: async (ids) => (await edges(ids)).filter(({ from }) => ids.includes(from)) })),
	},
];

/** Storages that lose, double or resurrect documents and chunks. */

import { asId, type Chunk } from "cairn-memory";
import type { ChunkId, Document, DocumentId } from "cairn-memory/stores";
import { type StorageMutant, spoilDocuments } from "./spoil.ts";

export const documentMutants: readonly StorageMutant[] = [
	{
		name: "publishes at stage",
		breaks: "publishing: what is staged is seen by nobody",
		spoil: spoilDocuments(({ stage, publish }) => ({
			stage: async (id, revision, space, chunks) => (await stage(id, revision, space, chunks)) && publish(id, revision, new Date(0)),
		})),
	},
	{
		name: "forgets to drop the old revision",
		breaks: "publishing: publishing drops the older revision",
		spoil: spoilDocuments(({ publish, chunksOf, chunks }) => {
			const dropped = new Map<ChunkId, Chunk>();
			return {
				publish: async (id, revision, now) => {
					for (const chunk of await chunksOf(id)) dropped.set(chunk.id, chunk);
					return publish(id, revision, now);
				},
				chunks: async (ids) => [...(await chunks(ids)), ...ids.flatMap((id) => dropped.get(id) ?? [])],
			};
		}),
	},
	{
		name: "adds to what was staged before instead of replacing it",
		breaks: "publishing: staging from position 0 drops what was staged before",
		spoil: spoilDocuments(({ stage }) => ({
			stage: (id, revision, space, chunks) =>
				stage(
					id,
					revision,
					space,
					chunks.map(({ chunk, vector }) => ({ chunk: { ...chunk, position: chunk.position + 1 }, vector })),
				),
		})),
	},
	{
		name: "begins each page of names at the first",
		breaks: "documents: documents are found by how their customIds begin, page by page",
		spoil: spoilDocuments(({ byPrefix }) => ({ byPrefix: (prefix, _after, limit) => byPrefix(prefix, null, limit) })),
	},
	{
		name: "resurrects after remove",
		breaks: "publishing: after removal nothing is left, and nothing brings it back",
		spoil: spoilDocuments(({ add, publish }, { jobs }) => {
			const known = new Map<DocumentId, Document>();
			return {
				add: async (document, job) => {
					known.set(document.id, document);
					return add(document, job);
				},
				publish: async (id, revision, now) => {
					if (await publish(id, revision, now)) return true;
					const document = known.get(id);
					if (document?.revision !== revision) return false;
					const [job] = await jobs.claim("mutant", [], 0, now, 0);
					await add(document, job ?? { id: "mutant" as never, organisation: document.organisation, task: "ingest", subject: id, notBefore: now, trace: null });
					return publish(id, revision, now);
				},
			};
		}),
	},
	{
		name: "lets every racer win",
		breaks: "documents: of two racers that move a document exactly one wins",
		spoil: spoilDocuments(({ move }) => ({ move: async (...parameters) => (await move(...parameters)) || true })),
	},
	{
		name: "takes a taken customId",
		breaks: "documents: a customId is unique in its container, and free in another and in another organisation",
		spoil: spoilDocuments(({ add }) => ({ add: async (document, job) => (await add(document, job)) || add({ ...document, customId: null }, job) })),
	},
	{
		name: "adds the job of a document that it refuses",
		breaks: "documents: adding with a taken customId writes nothing",
		spoil: spoilDocuments(({ add }, { jobs }) => ({
			add: async (document, job) => {
				if (job !== null) await jobs.add(job);
				return add(document, job);
			},
		})),
	},
	{
		name: "has a document of an export read again",
		breaks: "documents: a document of an export is added as it is, and nothing is to be done for it",
		spoil: spoilDocuments(({ add }, { jobs }) => ({
			add: async (document, job) => {
				const isAdded = await add(document, job);
				const { id, organisation } = document;
				if (job === null) await jobs.add({ id: asId(id), organisation, task: "ingest", subject: id, notBefore: document.createdAt, trace: null });
				return isAdded;
			},
		})),
	},
	{
		name: "takes only the first of chunks that were staged before",
		breaks: "publishing: the very chunks that were staged before may be staged again, however many",
		spoil: spoilDocuments(({ stage }) => {
			const staged = new Set<ChunkId>();
			return {
				stage: async (id, revision, space, chunks) => {
					const isKnown = chunks.some(({ chunk }) => staged.has(chunk.id));
					for (const { chunk } of chunks) staged.add(chunk.id);
					return stage(id, revision, space, isKnown ? chunks.slice(0, 1) : chunks);
				},
			};
		}),
	},
	{
		name: "writes for a stale revision",
		breaks: "changes: a stale revision cannot be described, failed, reported on or dreamed",
		spoil: spoilDocuments(({ describe, get }) => ({ describe: async (id, _revision, found) => describe(id, (await get(id))?.revision ?? 0, found) })),
	},
	{
		name: "merges a document that has left its source",
		breaks: "changes: a merge puts its target in the place of its source, and takes nothing from a document that has left",
		spoil: spoilDocuments(({ change }) => ({
			change: (id, { mergesContainer, ...wanted }, ...rest) =>
				change(id, mergesContainer === undefined ? wanted : { ...wanted, containerTags: [mergesContainer.into] }, ...rest),
		})),
	},
	{
		name: "changes whatever revision there is",
		breaks: "changes: a change of one revision changes no other",
		spoil: spoilDocuments(({ change }) => ({ change: (id, wanted, now, job) => change(id, wanted, now, job) })),
	},
	{
		name: "hides the published text as soon as new content comes",
		breaks: "changes: new content leaves the published text searchable until the new one is",
		spoil: spoilDocuments(({ change, stage, publish }) => ({
			change: async (id, wanted, ...rest) => {
				const changed = await change(id, wanted, ...rest);
				if (changed === null || changed === "taken" || wanted.content === undefined) return changed;
				await stage(id, changed.revision, { name: "none", dimensions: 1, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } }, []);
				await publish(id, changed.revision, rest[0]);
				return { ...changed, publishedRevision: changed.revision - 1 };
			},
		})),
	},
	{
		name: "keeps the waiting job of a removed document",
		breaks: "publishing: after removal nothing is left, and nothing brings it back",
		spoil: spoilDocuments(({ remove, get }, { jobs }) => ({
			remove: async (id, now) => {
				const document = await get(id);
				const removed = await remove(id, now);
				if (document !== null)
					await jobs.add({ id: "mutant" as never, organisation: document.organisation, task: "ingest", subject: id, notBefore: now, trace: null });
				return removed;
			},
		})),
	},
	{
		name: "counts only the page",
		breaks: "documents: a list is sorted, paged and counted",
		spoil: spoilDocuments(({ list }) => ({
			list: async (...parameters) => {
				const { documents } = await list(...parameters);
				return { documents, total: documents.length };
			},
		})),
	},
];

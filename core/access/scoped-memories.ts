/** Memories within the grants of a key. References of a memory to documents and other memories are shown only if the key may read those too. */

import type { MemoryId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { EmbeddedMemory, MemoryStore } from "../ports/memory-store.ts";
import type { Bounds } from "./bounds.ts";
import { documentGuard } from "./document-guard.ts";

export function scopedMemories(inner: MemoryStore, documents: DocumentStore, bounds: Bounds): MemoryStore {
	const guard = documentGuard(documents, bounds);
	const isReadable = ({ containerTag }: Memory) => bounds.canRead([containerTag]);
	/** Nothing else is read of what the key may not see: reading takes the longer the larger it is, which would tell of it. */
	const readable = async (ids: readonly MemoryId[]) => {
		if (ids.length === 0) return [];
		return [...(await inner.within([...new Set(ids)], bounds.readable))].map(([id, containerTag]) => ({ id, containerTag }));
	};
	const readableIds = async (ids: readonly MemoryId[]) => {
		const found = new Set((await readable(ids)).map(({ id }) => id));
		return ids.filter((id) => found.has(id));
	};
	const withReadableEvidence = async (memories: readonly Memory[]): Promise<readonly Memory[]> => {
		const visible = await guard.readable(memories.flatMap(({ evidence }) => evidence.map(({ document }) => document)));
		return memories.map((memory) => ({ ...memory, evidence: memory.evidence.filter(({ document }) => visible.has(document)) }));
	};
	/** The memories that the key may read, without references to sources and older versions in containers it may not read. */
	const redacted = async (memories: readonly Memory[]): Promise<readonly Memory[]> => {
		const visible = memories.filter(isReadable);
		const ancestors = visible.flatMap(({ parent, root }) => [parent, root]).filter((id) => id !== null);
		const [withEvidence, readableAncestors] = await Promise.all([withReadableEvidence(visible), readable(ancestors)]);
		const ids = new Set(readableAncestors.map(({ id }) => id));
		const ifReadable = (id: MemoryId | null) => (id !== null && ids.has(id) ? id : null);
		return withEvidence.map((memory) => ({ ...memory, parent: ifReadable(memory.parent), root: ifReadable(memory.root) }));
	};
	const readableEdges = async (edges: readonly MemoryEdge[]): Promise<readonly MemoryEdge[]> => {
		const ends = new Set((await readable(edges.flatMap(({ from, to }) => [from, to]))).map(({ id }) => id));
		return edges.filter(({ from, to }) => ends.has(from) && ends.has(to));
	};
	/** Keeps the ids that the key may change; unknown ones are left out. @throws ServiceError `CONTAINER_FORBIDDEN` for one that it may only read */
	const writable = async (ids: readonly MemoryId[]): Promise<readonly MemoryId[]> => {
		const visible = await readable(ids);
		bounds.demandWritable(visible.map(({ containerTag }) => containerTag));
		return visible.map(({ id }) => id);
	};

	return {
		save: async (space, embedded, edges) => {
			bounds.demandWritable(embedded.map(({ memory }) => memory.containerTag));
			const memories = await withReadableEvidence(embedded.map(({ memory }) => memory));
			const withEvidence = embedded.map(({ memory, vector }, i): EmbeddedMemory => ({ memory: memories[i] ?? memory, vector }));
			const ends = new Set(embedded.map(({ memory }) => memory.id));
			for (const id of await writable(edges.flatMap(({ from, to }) => [from, to]).filter((end) => !ends.has(end)))) ends.add(id);
			const isKnown = ({ from, to }: MemoryEdge) => ends.has(from) && ends.has(to);
			// What is to be replaced has gone, or has moved to where the key sees nothing.
			if (edges.some((edge) => edge.relation === "updates" && !isKnown(edge))) return false;
			return inner.save(space, withEvidence, edges.filter(isKnown));
		},
		get: async (ids) => redacted(await inner.get(await readableIds(ids))),
		within: (ids, containerTags) => inner.within(ids, bounds.onlyReadable(containerTags)),
		subjects: async (ids) => inner.subjects(await readableIds(ids)),
		byText: async (containerTag, text) => {
			const found = await inner.byText(containerTag, text);
			return found === null ? null : ((await redacted([found]))[0] ?? null);
		},
		edges: async (ids) => readableEdges(await inner.edges(await readableIds(ids))),
		newestEdges: async (ids, limit, until) => readableEdges(await inner.newestEdges(await readableIds(ids), limit, until)),
		support: async (id, evidence, now) => {
			const visible = await guard.readable(evidence.map(({ document }) => document));
			const supported = evidence.filter(({ document }) => visible.has(document));
			return (await writable([id])).length > 0 && inner.support(id, supported, now);
		},
		list: async (scope, latestOnly, page, seen) => {
			const within = await narrowed(scope);
			if (within === null) return { memories: [], total: 0 };
			const { memories, total } = await inner.list(within, latestOnly, page, seen);
			return { memories: await redacted(memories), total };
		},
		count: async (memoryFilter) => {
			const scope = await narrowed(memoryFilter.scope);
			return scope === null ? 0 : inner.count({ ...memoryFilter, scope });
		},
		ofDocument: async (document) => ((await guard.readable([document])).has(document) ? redacted(await inner.ofDocument(document)) : []),
		ofDocuments: async (documents) => redacted(await inner.ofDocuments([...(await guard.readable(documents))])),
		reground: async (document, grounds, gone, now) => {
			if (!(await guard.isWritable(document))) return;
			const ids = new Set(await writable([...grounds.map(({ memory }) => memory), ...gone]));
			await inner.reground(
				document,
				grounds.filter(({ memory }) => ids.has(memory)),
				gone.filter((id) => ids.has(id)),
				now,
			);
		},
		forget: async (ids, reason, now) => inner.forget(await writable(ids), reason, now),
		restore: async (ids, now) => inner.restore(await writable(ids), now),
		erase: async (ids, now) => inner.erase(await writable(ids), now),
		rehome: async (from, to, limit, now) => {
			bounds.demandWritable([from, to]);
			return inner.rehome(from, to, limit, now);
		},
		due: async (containerTag, now, limit, after) => {
			bounds.demandReadable([containerTag]);
			return redacted(await inner.due(containerTag, now, limit, after));
		},
		amend: async (id, amendment, now) => (await writable([id])).length > 0 && inner.amend(id, amendment, now),
	};

	/** Null if the scope names a document that the key may not read: a memory with two sources would reveal that it exists. */
	async function narrowed(scope: Scope): Promise<Scope | null> {
		const { document } = scope;
		return document === null || (await guard.readable([document])).has(document) ? bounds.narrow(scope) : null;
	}
}

/** Memories within the grants of a key. What a memory says about others is shown only where those are within the grants too. */

import type { MemoryId } from "../model/id.ts";
import type { Memory, MemoryEdge } from "../model/memory.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { EmbeddedMemory, MemoryStore } from "../ports/memory-store.ts";
import type { Bounds } from "./bounds.ts";
import { documentGuard } from "./document-guard.ts";

export function scopedMemories(inner: MemoryStore, documents: DocumentStore, bounds: Bounds): MemoryStore {
	const guard = documentGuard(documents, bounds);
	const isSeen = ({ containerTag }: Memory) => bounds.sees([containerTag]);
	const known = async (ids: readonly MemoryId[]) => (ids.length === 0 ? [] : (await inner.get([...new Set(ids)])).filter(isSeen));
	const withSeenEvidence = async (memories: readonly Memory[]): Promise<readonly Memory[]> => {
		const seen = await guard.seen(memories.flatMap(({ evidence }) => evidence.map(({ document }) => document)));
		return memories.map((memory) => ({ ...memory, evidence: memory.evidence.filter(({ document }) => seen.has(document)) }));
	};
	/** Without sources and older versions that have moved to containers the key may not read. */
	const shown = async (memories: readonly Memory[]): Promise<readonly Memory[]> => {
		const seen = memories.filter(isSeen);
		const forebears = seen.flatMap(({ parent, root }) => [parent, root]).filter((id) => id !== null);
		const [sourced, living] = await Promise.all([withSeenEvidence(seen), known(forebears)]);
		const ids = new Set(living.map(({ id }) => id));
		const orNull = (id: MemoryId | null) => (id !== null && ids.has(id) ? id : null);
		return sourced.map((memory) => ({ ...memory, parent: orNull(memory.parent), root: orNull(memory.root) }));
	};
	const seenEdges = async (edges: readonly MemoryEdge[]): Promise<readonly MemoryEdge[]> => {
		const ends = new Set((await known(edges.flatMap(({ from, to }) => [from, to]))).map(({ id }) => id));
		return edges.filter(({ from, to }) => ends.has(from) && ends.has(to));
	};
	/** The ones that the key may change. @throws ServiceError `CONTAINER_FORBIDDEN` for one that it may only read */
	const own = async (ids: readonly MemoryId[]): Promise<readonly MemoryId[]> => {
		const seen = await known(ids);
		bounds.demandWritable(seen.map(({ containerTag }) => containerTag));
		return seen.map(({ id }) => id);
	};

	return {
		save: async (space, embedded, edges) => {
			bounds.demandWritable(embedded.map(({ memory }) => memory.containerTag));
			const memories = await withSeenEvidence(embedded.map(({ memory }) => memory));
			const sourced = embedded.map(({ memory, vector }, i): EmbeddedMemory => ({ memory: memories[i] ?? memory, vector }));
			const ends = new Set(embedded.map(({ memory }) => memory.id));
			for (const id of await own(edges.flatMap(({ from, to }) => [from, to]).filter((end) => !ends.has(end)))) ends.add(id);
			return inner.save(
				space,
				sourced,
				edges.filter(({ from, to }) => ends.has(from) && ends.has(to)),
			);
		},
		get: async (ids) => shown(await inner.get(ids)),
		byText: async (containerTag, text) => {
			const found = await inner.byText(containerTag, text);
			return found === null ? null : ((await shown([found]))[0] ?? null);
		},
		edges: async (ids) => seenEdges(await inner.edges((await known(ids)).map(({ id }) => id))),
		newestEdges: async (ids, limit, until) =>
			seenEdges(
				await inner.newestEdges(
					(await known(ids)).map(({ id }) => id),
					limit,
					until,
				),
			),
		support: async (id, evidence, now) => {
			const seen = await guard.seen(evidence.map(({ document }) => document));
			const supported = evidence.filter(({ document }) => seen.has(document));
			return (await own([id])).length > 0 && inner.support(id, supported, now);
		},
		list: async (scope, latestOnly, page) => {
			const within = await narrowed(scope);
			if (within === null) return { memories: [], total: 0 };
			const { memories, total } = await inner.list(within, latestOnly, page);
			return { memories: await shown(memories), total };
		},
		count: async (memoryFilter) => {
			const scope = await narrowed(memoryFilter.scope);
			return scope === null ? 0 : inner.count({ ...memoryFilter, scope });
		},
		ofDocument: async (document) => ((await guard.seen([document])).has(document) ? shown(await inner.ofDocument(document)) : []),
		ofDocuments: async (documents) => shown(await inner.ofDocuments([...(await guard.seen(documents))])),
		reground: async (document, grounds, gone, now) => {
			if (!(await guard.opens(document))) return;
			const ids = new Set(await own([...grounds.map(({ memory }) => memory), ...gone]));
			await inner.reground(
				document,
				grounds.filter(({ memory }) => ids.has(memory)),
				gone.filter((id) => ids.has(id)),
				now,
			);
		},
		forget: async (ids, reason, now) => inner.forget(await own(ids), reason, now),
		restore: async (ids, now) => inner.restore(await own(ids), now),
		rehome: async (from, to, limit, now) => {
			bounds.demandWritable([from, to]);
			return inner.rehome(from, to, limit, now);
		},
		due: async (containerTag, now, limit, after) => {
			bounds.demandSeen([containerTag]);
			return shown(await inner.due(containerTag, now, limit, after));
		},
		amend: async (id, amendment, now) => (await own([id])).length > 0 && inner.amend(id, amendment, now),
	};

	/** Null where the scope is a document that the key may not read: a memory with two sources would reveal that it exists. */
	async function narrowed(scope: Scope): Promise<Scope | null> {
		const { document } = scope;
		return document === null || (await guard.seen([document])).has(document) ? bounds.narrow(scope) : null;
	}
}

/** Which memories a removal of documents would remove, and which would only lose a source. */

import type { DocumentId, MemoryId } from "../model/id.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

export interface AffectedMemories {
	/** Memories that would be removed: these documents are their only sources, or they were inferred from such memories. */
	readonly removed: ReadonlySet<MemoryId>;
	/** Memories that have another source and stay. */
	readonly kept: ReadonlySet<MemoryId>;
}

/** Ids in one call of the store. */
const batchSize = 100;

export async function affectedBy(documents: readonly DocumentId[], store: MemoryStore): Promise<AffectedMemories> {
	const removedDocuments = new Set(documents);
	const removed = new Set<MemoryId>();
	const kept = new Set<MemoryId>();
	for (let from = 0; from < documents.length; from += batchSize) {
		for (const { id, evidence } of await store.ofDocuments(documents.slice(from, from + batchSize)))
			(evidence.every(({ document }) => removedDocuments.has(document)) ? removed : kept).add(id);
	}
	for (let frontier = [...removed]; frontier.length > 0; ) {
		frontier = await inferredFrom(frontier, removed, store);
		for (const id of frontier) {
			removed.add(id);
			kept.delete(id);
		}
	}
	return { removed, kept };
}

async function inferredFrom(premises: readonly MemoryId[], known: ReadonlySet<MemoryId>, store: MemoryStore): Promise<MemoryId[]> {
	const found: MemoryId[] = [];
	const parents = new Set(premises);
	for (let from = 0; from < premises.length; from += batchSize) {
		const edges = await store.edges(premises.slice(from, from + batchSize));
		const children = edges.filter(({ relation, to }) => relation === "derives" && parents.has(to)).map((edge) => edge.from);
		const newIds = [...new Set(children)].filter((id) => !known.has(id));
		found.push(...(await store.get(newIds)).filter(({ isInference }) => isInference).map(({ id }) => id));
	}
	return found;
}

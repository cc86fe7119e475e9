/** Which memories a removal of documents would remove, and which would only lose a source. */

import type { DocumentId, MemoryId } from "../model/id.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

export interface Affected {
	/** They rest on these documents alone, or were inferred from what does. */
	readonly going: ReadonlySet<MemoryId>;
	/** They have another source. */
	readonly staying: ReadonlySet<MemoryId>;
}

/** How many are asked about in one call. */
const batch = 100;

export async function affectedBy(documents: readonly DocumentId[], store: MemoryStore): Promise<Affected> {
	const leaving = new Set(documents);
	const going = new Set<MemoryId>();
	const staying = new Set<MemoryId>();
	for (let from = 0; from < documents.length; from += batch) {
		for (const { id, evidence } of await store.ofDocuments(documents.slice(from, from + batch)))
			(evidence.every(({ document }) => leaving.has(document)) ? going : staying).add(id);
	}
	for (let frontier = [...going]; frontier.length > 0; ) {
		frontier = await inferredFrom(frontier, going, store);
		for (const id of frontier) {
			going.add(id);
			staying.delete(id);
		}
	}
	return { going, staying };
}

async function inferredFrom(premises: readonly MemoryId[], known: ReadonlySet<MemoryId>, store: MemoryStore): Promise<MemoryId[]> {
	const found: MemoryId[] = [];
	const asked = new Set(premises);
	for (let from = 0; from < premises.length; from += batch) {
		const edges = await store.edges(premises.slice(from, from + batch));
		const children = edges.filter(({ relation, to }) => relation === "derives" && asked.has(to)).map((edge) => edge.from);
		const fresh = [...new Set(children)].filter((id) => !known.has(id));
		found.push(...(await store.get(fresh)).filter(({ isInference }) => isInference).map(({ id }) => id));
	}
	return found;
}

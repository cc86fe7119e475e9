/** Whether a key may read a document, and whether it may change it, by the document's current tags. What is elsewhere takes the time of what is nowhere. */

import type { DocumentId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Bounds } from "./bounds.ts";

export interface DocumentGuard {
	/** The documents that the key may read. */
	readonly readable: (ids: readonly DocumentId[]) => Promise<ReadonlySet<DocumentId>>;
	/** @returns false if no such document exists for the key. @throws ServiceError `CONTAINER_FORBIDDEN` if the key may read the document but not change it */
	readonly isWritable: (id: DocumentId) => Promise<boolean>;
}

export function documentGuard({ tagsOf, within }: DocumentStore, bounds: Bounds): DocumentGuard {
	return {
		readable: async (ids) => (ids.length === 0 ? new Set() : within([...new Set(ids)], bounds.readable)),
		isWritable: async (id) => {
			// Asked first, so that nothing is read of a document that the key may not see.
			if (!(await within([id], bounds.readable)).has(id)) return false;
			const tags = (await tagsOf([id])).get(id) ?? [];
			if (!bounds.canRead(tags)) return false;
			bounds.demandAllWritable(tags);
			return true;
		},
	};
}

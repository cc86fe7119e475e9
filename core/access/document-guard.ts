/** Whether a key may read a document, and whether it may change it, by the document's current tags. */

import type { DocumentId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Bounds } from "./bounds.ts";

export interface DocumentGuard {
	/** The documents that the key may read. */
	readonly seen: (ids: readonly DocumentId[]) => Promise<ReadonlySet<DocumentId>>;
	/** @returns false when the key sees no such document. @throws ServiceError `CONTAINER_FORBIDDEN` when it may read the document but not change it */
	readonly opens: (id: DocumentId) => Promise<boolean>;
}

export function documentGuard({ tagsOf }: DocumentStore, bounds: Bounds): DocumentGuard {
	return {
		seen: async (ids) => {
			if (ids.length === 0) return new Set();
			return new Set([...(await tagsOf([...new Set(ids)]))].flatMap(([id, tags]) => (bounds.sees(tags) ? [id] : [])));
		},
		opens: async (id) => {
			const tags = (await tagsOf([id])).get(id) ?? [];
			if (!bounds.sees(tags)) return false;
			bounds.demandOwned(tags);
			return true;
		},
	};
}

/** Whether a key may read a document, and whether it may change it, by the document's current tags. */

import type { DocumentId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Bounds } from "./bounds.ts";

export interface DocumentGuard {
	/** The documents that the key may read. */
	readonly readable: (ids: readonly DocumentId[]) => Promise<ReadonlySet<DocumentId>>;
	/** @returns false if no such document exists for the key. @throws ServiceError `CONTAINER_FORBIDDEN` if the key may read the document but not change it */
	readonly isWritable: (id: DocumentId) => Promise<boolean>;
}

export function documentGuard({ tagsOf }: DocumentStore, bounds: Bounds): DocumentGuard {
	return {
		readable: async (ids) => {
			if (ids.length === 0) return new Set();
			return new Set([...(await tagsOf([...new Set(ids)]))].flatMap(([id, tags]) => (bounds.canRead(tags) ? [id] : [])));
		},
		isWritable: async (id) => {
			const tags = (await tagsOf([id])).get(id) ?? [];
			if (!bounds.canRead(tags)) return false;
			bounds.demandAllWritable(tags);
			return true;
		},
	};
}

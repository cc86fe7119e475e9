/** Reads the documents of what was found. */

import type { Document } from "../model/document.ts";
import type { DocumentId } from "../model/id.ts";
import { type Scope, tagsMatch } from "../model/scope.ts";
import type { TenantStore } from "../ports/storage.ts";

/**
 * Without those that are gone by now, or have left the containers: they are read as they are now, with words that were never in these.
 * @param includeContent whether they are read with their texts
 */
export async function documentsInScope(
	ids: readonly DocumentId[],
	scope: Scope,
	includeContent: boolean,
	{ documents }: TenantStore,
): Promise<ReadonlyMap<DocumentId, Document>> {
	const found = await documents.getMany(ids, includeContent);
	return new Map(found.filter(({ containerTags }) => tagsMatch(containerTags, scope)).map((document) => [document.id, document]));
}

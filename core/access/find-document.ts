/** Finds the document that a client refers to by its id or its customId. A customId is unique within a container only. */

import { fail } from "../errors/fail.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";

type Documents = Pick<DocumentStore, "byCustomId" | "getMany">;

/** The most matching documents that the error lists. */
const matchesMax = 10;

/**
 * @param containerTags where a document with this customId is looked for; an empty list means every container
 * @returns null if there is none
 * @throws ServiceError `CUSTOM_ID_AMBIGUOUS`
 */
export async function findDocument(
	idOrCustomId: string,
	documents: Documents,
	includeContent = true,
	containerTags: readonly string[] = [],
): Promise<Document | null> {
	const [byId] = isId(idOrCustomId) ? await documents.getMany([asId<DocumentId>(idOrCustomId)], includeContent) : [];
	return byId ?? findByCustomId(idOrCustomId, containerTags, documents);
}

/** @param containerTags the document is in at least one of these; an empty list means every container. @returns null if there is none. @throws ServiceError `CUSTOM_ID_AMBIGUOUS` */
export async function findByCustomId(customId: string, containerTags: readonly string[], documents: Pick<Documents, "byCustomId">): Promise<Document | null> {
	const found = await documents.byCustomId(customId, containerTags, matchesMax);
	if (found.length < 2) return found[0] ?? null;
	throw fail("CUSTOM_ID_AMBIGUOUS", customId, found.map((each) => each.containerTags.join(" and ")).join(", "));
}

/** The documents whose customId begins with the prefix, in pages of this size. The next page is read when it is asked for. */
export async function* pagesByPrefix(prefix: string, pageSize: number, { byPrefix }: Pick<DocumentStore, "byPrefix">): AsyncGenerator<readonly Document[]> {
	for (let last: Document | null = null; ; ) {
		const page: readonly Document[] = await byPrefix(prefix, last, pageSize);
		yield page;
		last = page.at(-1) ?? null;
		if (page.length < pageSize) return;
	}
}

/** The document that a client names: by its id, or by its customId, which belongs to a container. */

import { fail } from "../errors/fail.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId } from "../model/id.ts";
import type { DocumentStore } from "../ports/document-store.ts";

type Documents = Pick<DocumentStore, "byCustomId" | "getMany">;

/** So many of those that may be meant are named in the error. */
const namedMax = 10;

/** @returns null where there is none. @throws ServiceError `CUSTOM_ID_AMBIGUOUS` */
export async function findDocument(idOrCustomId: string, documents: Documents, includeContent = true): Promise<Document | null> {
	const [byId] = isId(idOrCustomId) ? await documents.getMany([asId<DocumentId>(idOrCustomId)], includeContent) : [];
	return byId ?? documentNamed(idOrCustomId, [], documents);
}

/** @param containerTags any of these; none for any at all. @returns null where there is none. @throws ServiceError `CUSTOM_ID_AMBIGUOUS` */
export async function documentNamed(customId: string, containerTags: readonly string[], documents: Pick<Documents, "byCustomId">): Promise<Document | null> {
	const found = await documents.byCustomId(customId, containerTags, namedMax);
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

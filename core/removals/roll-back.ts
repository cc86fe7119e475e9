/** Rolls back a source: removes all documents that come from it, and the memories that have no other source. */

import { pagesByPrefix } from "../access/find-document.ts";
import { asServiceError } from "../errors/fail.ts";
import type { RemovalId } from "../model/id.ts";
import { type DocumentIdentity, descendantsPrefix, parentOf, rootOf } from "../model/reserved-custom-ids.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { affectedBy } from "./affected.ts";
import type { RefusedDocument, RemovalResult } from "./removal-service.ts";
import { type RemovalSource, selectDocuments } from "./source.ts";

export interface RollbackResult extends RemovalResult {
	/** How many memories are removed (`going`, counting all versions), and how many only lose a source (`staying`). */
	readonly memories: { readonly going: number; readonly staying: number };
}

/** Removes a document with its attachments. @returns how many were removed; 0 if the document no longer exists. */
export type RemoveOne = (document: DocumentIdentity) => Promise<number>;

/** Documents removed at once: enough to be quick, few enough that other writers do not wait long. */
const batchSize = 100;

/** What a rollback would remove. */
export async function previewRollback(source: RemovalSource, scope: Scope, tenant: TenantStore) {
	const { documents, unknown } = await selectDocuments(source, scope, tenant.documents);
	const all = await withDescendants(documents, tenant.documents);
	const { removed, kept } = await affectedBy([...all], tenant.memories);
	return { documents, unknown, count: all.size, memories: { going: removed.size, staying: kept.size } };
}

/** Each document is removed durably by itself. If the call is interrupted, it can be repeated with the same removal id, and removes the rest. */
export async function rollBack(source: RemovalSource, scope: Scope, removal: RemovalId, tenant: TenantStore, removeOne: RemoveOne): Promise<RollbackResult> {
	const { documents, unknown, memories } = await previewRollback(source, scope, tenant);
	const refused: RefusedDocument[] = [...unknown];
	const attempt = (document: DocumentIdentity) =>
		removeOne(document).catch((thrown: unknown) => {
			const error = asServiceError(thrown);
			if (error.kind !== "forbidden") throw error;
			refused.push({ id: document.id, error });
			return 0;
		});
	// Attachments come last, since most of them are removed with their parents.
	const outer = documents.filter(({ customId }) => parentOf(customId) === null);
	const inner = documents.filter(({ customId }) => parentOf(customId) !== null);
	let count = 0;
	for (let from = 0; from < outer.length; from += batchSize) {
		for (const removed of await Promise.all(outer.slice(from, from + batchSize).map(attempt))) count += removed;
	}
	for (const each of inner) count += await attempt(each);
	return { removal, count, refused, memories };
}

/** The ids of the documents and of all their attachments, which are removed with them. */
async function withDescendants(documents: readonly DocumentIdentity[], store: DocumentStore): Promise<ReadonlySet<DocumentIdentity["id"]>> {
	const all = new Set(documents.map(({ id }) => id));
	for (const document of documents) {
		if (rootOf(document) !== document.id) continue;
		for await (const page of pagesByPrefix(descendantsPrefix(document.id), batchSize, store)) for (const { id } of page) all.add(id);
	}
	return all;
}

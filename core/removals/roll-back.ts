/** Rolls back a source: removes all documents that come from it, and all memories that rest on them alone. */

import { pagesByPrefix } from "../access/find-document.ts";
import { asServiceError } from "../errors/fail.ts";
import type { RemovalId } from "../model/id.ts";
import { type DocumentIdentity, descendantsPrefix, parentOf, rootOf } from "../model/reserved-custom-ids.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { affectedBy } from "./affected.ts";
import type { Refused, Removed } from "./removal-service.ts";
import { type RemovalSource, selectDocuments } from "./source.ts";

export interface RolledBack extends Removed {
	/** How many memories go, in all their versions, and how many only lose a source. */
	readonly memories: { readonly going: number; readonly staying: number };
}

/** Removes a document with what is inside of it. @returns how many went: none when it was gone already. */
export type Take = (document: DocumentIdentity) => Promise<number>;

/** Removed in one go: enough to be quick, few enough that other writers get their turn. */
const batch = 100;

/** What would go. */
export async function foresee(source: RemovalSource, scope: Scope, tenant: TenantStore) {
	const { documents, unknown } = await selectDocuments(source, scope, tenant.documents);
	const all = await withDescendants(documents, tenant.documents);
	const { going, staying } = await affectedBy([...all], tenant.memories);
	return { documents, unknown, count: all.size, memories: { going: going.size, staying: staying.size } };
}

/** Each document goes durably by itself: a call that was cut off is repeated under the same name, and finds what is left. */
export async function rollBack(source: RemovalSource, scope: Scope, removal: RemovalId, tenant: TenantStore, take: Take): Promise<RolledBack> {
	const { documents, unknown, memories } = await foresee(source, scope, tenant);
	const refused: Refused[] = [...unknown];
	const attempt = (document: DocumentIdentity) =>
		take(document).catch((thrown: unknown) => {
			const error = asServiceError(thrown);
			if (error.kind !== "forbidden") throw error;
			refused.push({ id: document.id, error });
			return 0;
		});
	// What is inside of others comes last, for it mostly went along with them.
	const outer = documents.filter(({ customId }) => parentOf(customId) === null);
	const inner = documents.filter(({ customId }) => parentOf(customId) !== null);
	let count = 0;
	for (let from = 0; from < outer.length; from += batch) {
		for (const taken of await Promise.all(outer.slice(from, from + batch).map(attempt))) count += taken;
	}
	for (const each of inner) count += await attempt(each);
	return { removal, count, refused, memories };
}

/** With their attachments, which are removed along with them. */
async function withDescendants(documents: readonly DocumentIdentity[], store: DocumentStore): Promise<ReadonlySet<DocumentIdentity["id"]>> {
	const all = new Set(documents.map(({ id }) => id));
	for (const document of documents) {
		if (rootOf(document) !== document.id) continue;
		for await (const page of pagesByPrefix(descendantsPrefix(document.id), batch, store)) for (const { id } of page) all.add(id);
	}
	return all;
}

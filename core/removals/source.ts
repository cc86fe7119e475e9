/** Selects the documents that a client wants to remove: by id or customId, prefix, connection, key or scope. */

import { findByCustomId } from "../access/find-document.ts";
import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import type { Document } from "../model/document.ts";
import { asId, type DocumentId, isId, type KeyId } from "../model/id.ts";
import type { DocumentIdentity } from "../model/reserved-custom-ids.ts";
import { syncedPrefix } from "../model/reserved-custom-ids.ts";
import { type Scope, tagsMatch } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { DocumentStore, Position } from "../ports/document-store.ts";

export type RemovalSource =
	/** Ids or customIds. */
	| { readonly kind: "named"; readonly names: readonly string[] }
	/** Documents whose customId begins with the prefix. */
	| { readonly kind: "prefix"; readonly prefix: string }
	| { readonly kind: "connection"; readonly connection: string }
	/** Documents whose content was added with this API key. */
	| { readonly kind: "key"; readonly key: string }
	/** All documents in the scope. */
	| { readonly kind: "scope" };

export interface SelectedDocuments {
	readonly documents: readonly DocumentIdentity[];
	/** Documents that do not exist, by the id or customId of the request. */
	readonly unknown: readonly { readonly id: string; readonly error: ServiceError }[];
}

/** Documents read at once, which takes a few milliseconds. */
const pageSize = 500;

/** All documents of a source that are in one of the scope's containers. */
export async function selectDocuments(source: RemovalSource, scope: Scope, store: DocumentStore): Promise<SelectedDocuments> {
	if (source.kind === "named") return findNamed(source.names, scope, store);
	const documents: DocumentIdentity[] = [];
	for await (const page of pagesOf(source, scope, store)) documents.push(...page.filter(isInScope(scope)).map(({ id, customId }) => ({ id, customId })));
	return { documents, unknown: [] };
}

const isInScope = (scope: Scope) => (document: Document) => tagsMatch(document.containerTags, scope);

async function findNamed(names: readonly string[], scope: Scope, store: DocumentStore): Promise<SelectedDocuments> {
	const unknown: { readonly id: string; readonly error: ServiceError }[] = [];
	const find = async (name: string): Promise<Document | null> => {
		const byId = isId(name) ? await store.get(asId<DocumentId>(name)) : null;
		const document = byId ?? (await findByCustomId(name, scope.containerTags, store));
		if (document === null || !isInScope(scope)(document)) throw fail("DOCUMENT_MISSING");
		return document;
	};
	const found = await Promise.all(
		[...new Set(names)].map((name) =>
			find(name).catch((thrown: unknown) => {
				unknown.push({ id: name, error: asServiceError(thrown) });
				return null;
			}),
		),
	);
	return { documents: [...new Map(found.flatMap((document) => (document === null ? [] : [[document.id, document] as const]))).values()], unknown };
}

async function* pagesOf(source: Exclude<RemovalSource, { readonly kind: "named" }>, scope: Scope, store: DocumentStore): AsyncGenerator<readonly Document[]> {
	if (source.kind === "scope") return yield* inScope(scope, store);
	const prefix = source.kind === "prefix" ? source.prefix : syncedPrefix(source.kind === "connection" ? source.connection : "");
	let last: Document | undefined;
	do {
		const page: readonly Document[] =
			source.kind === "key" ? await store.byWriter(asId<KeyId>(source.key), last?.id ?? null, pageSize) : await store.byPrefix(prefix, last ?? null, pageSize);
		yield page;
		last = page.length < pageSize ? undefined : page.at(-1);
	} while (last !== undefined);
}

async function* inScope(scope: Scope, store: DocumentStore): AsyncGenerator<readonly Document[]> {
	let after: Position | undefined;
	do {
		const page = { offset: 0, limit: pageSize, sort: "createdAt", order: "asc", ...(after === undefined ? {} : { after }) } as const;
		const { documents } = await store.list({ ...scope, tagsMatch: "any" }, documentStatuses, page, false);
		yield documents;
		const last = documents.length < pageSize ? undefined : documents.at(-1);
		after = last === undefined ? undefined : { at: last.createdAt, id: last.id };
	} while (after !== undefined);
}

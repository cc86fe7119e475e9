/** A page of documents, and where the next one begins. */

import type { Scope } from "../model/scope.ts";
import type { DocumentStatus } from "../model/status.ts";
import type { DocumentStore, Listed, Page, Position } from "../ports/document-store.ts";
import { cutPage, withOneMore } from "./cut-page.ts";

export interface ListedPage extends Listed {
	/** Where the next page begins; null after the last page. */
	readonly next: Position | null;
}

export async function listDocuments(
	store: DocumentStore,
	scope: Scope,
	statuses: readonly DocumentStatus[],
	page: Page,
	includeContent: boolean,
): Promise<ListedPage> {
	const { documents, total } = await store.list(scope, statuses, withOneMore(page), includeContent);
	const { items, next } = cutPage(documents, page);
	return { documents: items, total, next };
}

/** A page of documents, and where the next one begins. */

import type { Scope } from "../model/scope.ts";
import type { DocumentStatus } from "../model/status.ts";
import type { DocumentStore, Listed, Page, Position } from "../ports/document-store.ts";
import { cutPage, withOneMore } from "./cut-page.ts";

export interface ListedOnwards extends Listed {
	/** Null at the end. */
	readonly next: Position | null;
}

export async function listDocuments(
	store: DocumentStore,
	scope: Scope,
	statuses: readonly DocumentStatus[],
	page: Page,
	includeContent: boolean,
): Promise<ListedOnwards> {
	const { documents, total } = await store.list(scope, statuses, withOneMore(page), includeContent);
	const { shown, next } = cutPage(documents, page);
	return { documents: shown, total, next };
}

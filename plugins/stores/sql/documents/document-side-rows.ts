/** What a document has in other tables: its long texts, its tags, its metadata. */

import type { Metadata } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { documentMetadata, documentTags } from "../schema.ts";
import { metadataRows } from "../scopes/metadata-rows.ts";
import { inserter } from "../table-rows.ts";
import type { DocumentKey } from "./document-operations.ts";

export interface DocumentSideRows {
	readonly setTexts: (key: DocumentKey, content: string | null, found: string | null) => void;
	/** The extracted text alone. */
	readonly setFound: (key: DocumentKey, found: string | null) => void;
	/** `before` are those it has now: the table begins with the tag, so that a scope finds its documents, and has no list by document. */
	readonly setTags: (key: DocumentKey, before: readonly string[], tags: readonly string[]) => void;
	readonly setMetadata: (key: DocumentKey, metadata: Metadata) => void;
	/** Takes it out of every list and filter; its texts stay. */
	readonly hide: (key: DocumentKey, tags: readonly string[]) => void;
	readonly removeAll: (key: DocumentKey, tags: readonly string[]) => void;
}

export function documentSideRows(connection: Executor): DocumentSideRows {
	const { statement } = connection;
	const insertTag = inserter(connection, documentTags);
	const insertElement = inserter(connection, documentMetadata);

	function removeTags({ organisation, id }: DocumentKey, tags: readonly string[]): void {
		for (const tag of new Set(tags)) statement("DELETE FROM document_tags WHERE organisation = ? AND tag = ? AND document = ?").run(organisation, tag, id);
	}

	function removeMetadata({ organisation, id }: DocumentKey): void {
		statement("DELETE FROM document_metadata WHERE organisation = ? AND document = ?").run(organisation, id);
	}

	return {
		setTexts({ organisation, id }, content, found) {
			const sql = `INSERT INTO document_texts (organisation, document, content, found) VALUES (?, ?, ?, ?)
				ON CONFLICT (organisation, document) DO UPDATE SET content = excluded.content, found = excluded.found`;
			statement(sql).run(organisation, id, content, found);
		},
		setFound({ organisation, id }, found) {
			statement("UPDATE document_texts SET found = ? WHERE organisation = ? AND document = ?").run(found, organisation, id);
		},
		setTags(key, before, tags) {
			removeTags(key, before);
			for (const tag of new Set(tags)) insertTag({ organisation: key.organisation, tag, document: key.id });
		},
		setMetadata(key, metadata) {
			removeMetadata(key);
			for (const row of metadataRows(metadata)) insertElement({ organisation: key.organisation, document: key.id, ...row });
		},
		hide(key, tags) {
			removeTags(key, tags);
			removeMetadata(key);
		},
		removeAll(key, tags) {
			removeTags(key, tags);
			removeMetadata(key);
			statement("DELETE FROM document_texts WHERE organisation = ? AND document = ?").run(key.organisation, key.id);
		},
	};
}

/** Documents inside of documents, in RAM. */

import { attachmentNames, type Descendants, type Document, type DocumentId, type DocumentStatus, type Named, parentOf } from "cairn-memory";
import type { Tables } from "./tables.ts";

/** All below it at any depth, the innermost first. */
export function descendantsOf(tables: Tables, document: Named): readonly Document[] {
	return named(tables, attachmentNames(document)).flatMap((member) => [...descendantsOf(tables, member), member]);
}

export function countDescendants(tables: Tables, document: Named): Descendants {
	const descendants = descendantsOf(tables, document);
	const statuses = new Map<DocumentStatus, number>();
	let bytes = 0;
	for (const { status, content } of descendants) {
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
		bytes += content.kind === "file" ? content.byteLength : 0;
	}
	return { statuses, bytes };
}

/** With the containers of its parent; null when the parent is gone. */
export function besideParent({ documents }: Tables, document: Document): Document | null {
	const parent = parentOf(document.customId);
	if (parent === null) return document;
	const containerTags = documents.get(parent)?.containerTags;
	return containerTags === undefined ? null : { ...document, containerTags };
}

export function isOrphan({ documents }: Tables, customId: string | null): boolean {
	const parent: DocumentId | null = parentOf(customId);
	return parent !== null && !documents.has(parent);
}

function named({ documents }: Tables, prefix: string): readonly Document[] {
	return [...documents.values()].filter(({ customId }) => customId?.startsWith(prefix));
}

/** The customIds of documents inside documents. No client can give such a customId; it names the outermost document, the parent and the path. */

import { asId, type DocumentId } from "./id.ts";

/** Where an attachment was inside another document. */
export interface AttachmentOrigin {
	readonly parent: DocumentId;
	/** Inside of the parent, with slashes. A text for people, never a path to open. */
	readonly path: string;
	/** Its nesting depth, from 1. */
	readonly depth: number;
}

/** The ids of a document that attachments' customIds are made of. */
export interface Named {
	readonly id: DocumentId;
	readonly customId: string | null;
}

/** CustomIds of clients have no slash. */
const pattern = /^member\/([^/]{22})\/([^/]{22})\//;

/** The prefix of the customIds of its direct attachments. */
export function attachmentNames(document: Named): string {
	return `${descendantNames(rootOf(document))}${document.id}/`;
}

/** The prefix of the customIds of all descendants of an outermost document. */
export function descendantNames(root: DocumentId): string {
	return `member/${root}/`;
}

/** The document it is an attachment of; null for none. */
export function parentOf(customId: string | null): DocumentId | null {
	const parent = pattern.exec(customId ?? "")?.[2];
	return parent === undefined ? null : asId<DocumentId>(parent);
}

/** The outermost document around it; itself when there is none. */
export function rootOf({ id, customId }: Named): DocumentId {
	const root = pattern.exec(customId ?? "")?.[1];
	return root === undefined ? id : asId<DocumentId>(root);
}

/**
 * The customIds that documents get here: those inside documents, by the outermost document, the parent and the path, and those from
 * connections. No client can give such a customId, since one that comes over the wire has no slash in it.
 */

import { asId, type DocumentId } from "./id.ts";

/** Whether a customId was made here. It names one document of the whole organisation, wherever that is moved. */
export function isOwnCustomId(customId: string): boolean {
	return customId.includes("/");
}

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

const attachmentPattern = /^member\/([^/]{22})\/([^/]{22})\//;

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
	const parent = attachmentPattern.exec(customId ?? "")?.[2];
	return parent === undefined ? null : asId<DocumentId>(parent);
}

/** The outermost document around it; itself when there is none. */
export function rootOf({ id, customId }: Named): DocumentId {
	const root = attachmentPattern.exec(customId ?? "")?.[1];
	return root === undefined ? id : asId<DocumentId>(root);
}

const syncedPattern = /^connection\/([^/]{22})\//;

/** The name of what a connection knows by this key. */
export function syncedName(connection: string, key: string): string {
	return syncedNames(connection) + key;
}

/** How the names of all its documents begin. */
export function syncedNames(connection: string): string {
	return `connection/${connection}/`;
}

/** The connection that brought the document of this name; null when a client did. */
export function connectionOf(customId: string | null): string | null {
	return syncedPattern.exec(customId ?? "")?.[1] ?? null;
}

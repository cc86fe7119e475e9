/**
 * The customIds that Cairn itself gives to documents: to attachments, made of the ids of the outermost document and of the parent and
 * the path; and to documents from connections. Clients cannot use a slash in a customId, so they cannot forge one of these.
 */

import { asId, type DocumentId } from "./id.ts";

/** Whether Cairn made this customId. It identifies one document of the whole organisation, even if that document is moved. */
export function isReservedCustomId(customId: string): boolean {
	return customId.includes("/");
}

/** Where an attachment was found. */
export interface AttachmentOrigin {
	readonly parent: DocumentId;
	/** The path inside the parent, with slashes. It is shown to people and never opened. */
	readonly path: string;
	/** Its nesting depth, from 1. */
	readonly depth: number;
}

/** The ids of a document, from which the customIds of its attachments are made. */
export interface DocumentIdentity {
	readonly id: DocumentId;
	readonly customId: string | null;
}

const attachmentPattern = /^member\/([^/]{22})\/([^/]{22})\//;

/** The prefix of the customIds of its direct attachments. */
export function attachmentsPrefix(document: DocumentIdentity): string {
	return `${descendantsPrefix(rootOf(document))}${document.id}/`;
}

/** The prefix of the customIds of all descendants of an outermost document. */
export function descendantsPrefix(root: DocumentId): string {
	return `member/${root}/`;
}

/** The document of which the one with this customId is an attachment; null if it is not an attachment. */
export function parentOf(customId: string | null): DocumentId | null {
	const parent = attachmentPattern.exec(customId ?? "")?.[2];
	return parent === undefined ? null : asId<DocumentId>(parent);
}

/** The outermost document that contains this one, or the document itself if it is not an attachment. */
export function rootOf({ id, customId }: DocumentIdentity): DocumentId {
	const root = attachmentPattern.exec(customId ?? "")?.[1];
	return root === undefined ? id : asId<DocumentId>(root);
}

const syncedPattern = /^connection\/([^/]{22})\//;

/** The customId of the document with this key in a connection's source. */
export function syncedCustomId(connection: string, key: string): string {
	return syncedPrefix(connection) + key;
}

/** The prefix of the customIds of all documents of a connection. */
export function syncedPrefix(connection: string): string {
	return `connection/${connection}/`;
}

/** The id of the connection that synced the document with this customId; null for a client's document. */
export function connectionOf(customId: string | null): string | null {
	return syncedPattern.exec(customId ?? "")?.[1] ?? null;
}

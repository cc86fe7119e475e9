/** The dates of documents: the one that a document states, and the one that "today" refers to in it. An old letter added today does not replace newer facts. */

import type { Document } from "../model/document.ts";
import type { MemoryId } from "../model/id.ts";
import type { Link, Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import { connectionOf } from "../model/reserved-custom-ids.ts";
import { statedDateOf } from "../model/stated-date.ts";
import type { DocumentStore } from "../ports/document-store.ts";

/** The date that a document or its client states; null if there is none. */
export function documentDateOf(document: Pick<Document, "metadata" | "findings">): Date | null {
	return statedDateOf(withPublicationDate(document));
}

/**
 * The day that "today" refers to in the document's text; null if it is not known. A text or a conversation that a client sends is written
 * on the day it is added. A file, a page or what a connection brings may be years old.
 */
export function referenceDateOf(document: Pick<Document, "metadata" | "findings" | "content" | "customId" | "createdAt">): Date | null {
	const isSentByClient = document.content.kind === "text" && connectionOf(document.customId) === null;
	return documentDateOf(document) ?? (isSentByClient ? document.createdAt : null);
}

/**
 * The metadata, with the date of publication as `documentDate` if the client has not stated one. Relative dates in a web page, such as
 * "yesterday", are relative to its publication.
 */
export function withPublicationDate({ metadata, findings }: Pick<Document, "metadata" | "findings">): Metadata {
	const { publishedAt } = findings.about;
	return publishedAt === undefined || metadata["documentDate"] !== undefined ? metadata : { ...metadata, documentDate: publishedAt };
}

/** The memory that an `updates` link would replace although its source has a later date; null if there is none. */
export async function findLaterMemory(
	links: readonly Link[],
	neighbours: readonly { readonly memory: Memory }[],
	saidAt: Date | null,
	documents: Pick<DocumentStore, "get">,
): Promise<MemoryId | null> {
	const update = links.find(({ relation }) => relation === "updates");
	const replaced = neighbours.find(({ memory }) => memory.id === update?.target)?.memory;
	if (saidAt === null || replaced === undefined) return null;
	const sources = await Promise.all([...new Set(replaced.evidence.map(({ document }) => document))].map((id) => documents.get(id)));
	const dates = sources.map((source) => (source === null ? replaced.createdAt : (documentDateOf(source) ?? source.createdAt)));
	const latest = Math.max(...(dates.length === 0 ? [replaced.createdAt] : dates).map((day) => day.getTime()));
	return latest > saidAt.getTime() ? replaced.id : null;
}

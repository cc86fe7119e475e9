/** Which of two documents is about the later day, so that an old letter added today does not replace newer facts. */

import type { Document } from "../model/document.ts";
import type { MemoryId } from "../model/id.ts";
import type { Link, Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import type { DocumentStore } from "../ports/document-store.ts";

/** The day that a document or its client states; null when there is none, and the day of its arrival counts. */
export function saidOn(document: Pick<Document, "metadata" | "findings">): Date | null {
	const given = dated(document)["documentDate"];
	if (typeof given !== "string" && typeof given !== "number") return null;
	const date = new Date(given);
	return Number.isNaN(date.getTime()) ? null : date;
}

/** The metadata with the day of publication in place of a day that the client has not named: what a page calls yesterday was the day before it came out. */
export function dated({ metadata, findings }: Pick<Document, "metadata" | "findings">): Metadata {
	const { publishedAt } = findings.about;
	return publishedAt === undefined || metadata["documentDate"] !== undefined ? metadata : { ...metadata, documentDate: publishedAt };
}

/** The memory that an `updates` link would replace although it is about a later day; null when there is none. */
export async function saidLater(
	links: readonly Link[],
	neighbours: readonly { readonly memory: Memory }[],
	said: Date | null,
	documents: Pick<DocumentStore, "get">,
): Promise<MemoryId | null> {
	const update = links.find(({ relation }) => relation === "updates");
	const replaced = neighbours.find(({ memory }) => memory.id === update?.target)?.memory;
	if (said === null || replaced === undefined) return null;
	const sources = await Promise.all([...new Set(replaced.evidence.map(({ document }) => document))].map((id) => documents.get(id)));
	const days = sources.map((source) => (source === null ? replaced.createdAt : (saidOn(source) ?? source.createdAt)));
	const last = Math.max(...(days.length === 0 ? [replaced.createdAt] : days).map((day) => day.getTime()));
	return last > said.getTime() ? replaced.id : null;
}

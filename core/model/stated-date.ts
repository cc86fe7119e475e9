/** The date that a client states for a document, in its metadata. */

import type { Metadata } from "./metadata.ts";

/** @returns null if `documentDate` is missing or no date */
export function statedDateOf(metadata: Metadata): Date | null {
	const { documentDate } = metadata;
	if (typeof documentDate !== "string" && typeof documentDate !== "number") return null;
	const date = new Date(documentDate);
	return Number.isNaN(date.getTime()) ? null : date;
}

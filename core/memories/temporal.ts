/** The dates that a client states for a memory. They are stored in its metadata, so that filters can use them. */

import type { Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";

export const documentDateKey = "temporalContext.documentDate";
export const eventDateKey = "temporalContext.eventDate";

/** The dates in the metadata. Of several event dates the earliest is used. Values that are not dates are ignored. */
export function timesOf({ [documentDateKey]: said, [eventDateKey]: events }: Metadata): Pick<Memory, "eventTime" | "saidAt"> {
	const dates = (Array.isArray(events) ? events : [events]).flatMap((day) => toDate(day) ?? []);
	const saidAt = toDate(said);
	return {
		eventTime: dates.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
		...(saidAt === null ? {} : { saidAt }),
	};
}

function toDate(value: unknown): Date | null {
	if (typeof value !== "string") return null;
	const date = new Date(value);
	return Number.isNaN(date.getTime()) ? null : date;
}

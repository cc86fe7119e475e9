/** The dates that a client gives for a memory: they are stored in its metadata, where filters find them. */

import type { Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";

export const documentDateKey = "temporalContext.documentDate";
export const eventDateKey = "temporalContext.eventDate";

/** What the attributes say; of several days the first is when it began. What is no date counts as not given. */
export function timesOf({ [documentDateKey]: said, [eventDateKey]: events }: Metadata): Pick<Memory, "eventTime" | "saidAt"> {
	const days = (Array.isArray(events) ? events : [events]).flatMap((day) => toDate(day) ?? []);
	const saidAt = toDate(said);
	return {
		eventTime: days.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
		...(saidAt === null ? {} : { saidAt }),
	};
}

function toDate(given: unknown): Date | null {
	if (typeof given !== "string") return null;
	const date = new Date(given);
	return Number.isNaN(date.getTime()) ? null : date;
}

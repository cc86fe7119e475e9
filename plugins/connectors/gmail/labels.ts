/** Labels of Gmail: which of them say that a message is no document, which are only states, and their names. */

import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";

/** https://developers.google.com/workspace/gmail/api/guides/labels: labels that Gmail sets itself have their name as their id. */
const hidden: ReadonlySet<string> = new Set(["DRAFT", "SPAM", "TRASH", "CHAT"]);
/** They change when a thread is looked at or sorted by Gmail, and say nothing of what is in it. */
const states: ReadonlySet<string> = new Set(["UNREAD", "STARRED", "IMPORTANT"]);

/** Whether a message with these labels is left out. */
export function isHidden(labelIds: readonly string[]): boolean {
	return labelIds.some((id) => hidden.has(id));
}

export function isState(labelId: string): boolean {
	return states.has(labelId) || labelId.startsWith("CATEGORY_");
}

export interface Label {
	readonly id: string;
	readonly name: string;
	/** `system` or `user`. */
	readonly type: string;
}

const labelsSchema = z.object({ labels: z.array(z.object({ id: z.string(), name: z.string(), type: z.string().default("user") })).default([]) });

/** All labels from which somebody may choose; Gmail lists them on one page. */
export async function listLabels(api: GoogleApi): Promise<readonly Label[]> {
	const listed = await api.json("/labels", {}, labelsSchema);
	return (listed?.labels ?? []).filter(({ id }) => !hidden.has(id) && id !== "UNREAD");
}

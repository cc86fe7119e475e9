/** Labels of Gmail: which of them say that a message is no document, which are only states, and their names. */

import { fail } from "cairn-memory";
import { z } from "zod";
import { demandList, type GoogleApi } from "../google-api.ts";
import { provider } from "./config.ts";

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

/** All labels from which somebody may choose; Gmail lists them on one page. @throws ServiceError */
export async function listLabels(api: GoogleApi): Promise<readonly Label[]> {
	const { labels } = demandList(await api.json("/labels", {}, labelsSchema), provider, "labels");
	// Every mailbox has those of Gmail. Without this, chosen labels would look as if they were deleted, and all documents would be removed.
	if (labels.length === 0) throw fail("ADDRESS_CHANGED", provider, "it lists no labels");
	return labels.filter(({ id }) => !hidden.has(id) && id !== "UNREAD");
}

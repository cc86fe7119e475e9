/** Follows the history of a mailbox: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list */

import type { Step } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import { neverTwice } from "../never-twice.ts";
import { type GmailConfig, provider } from "./config.ts";
import { isHidden, isState } from "./labels.ts";
import type { GmailState } from "./state.ts";

const change = z.object({ message: z.object({ threadId: z.string(), labelIds: z.array(z.string()).default([]) }), labelIds: z.array(z.string()).default([]) });
const changes = z.array(change).default([]);
const recordSchema = z.object({ id: z.string(), messagesAdded: changes, messagesDeleted: changes, labelsAdded: changes, labelsRemoved: changes });
const pageSchema = z.object({ history: z.array(recordSchema).default([]), nextPageToken: z.string().optional(), historyId: z.string() });

/** Gmail's largest page. */
const perPage = 500;
const pagesMax = 10_000;

/**
 * Marks the threads that changed as not read.
 * @returns false if Gmail no longer knows the history from there on, so that everything has to be listed again.
 */
export async function followHistory(config: GmailConfig, state: GmailState, api: GoogleApi, step: Step): Promise<boolean> {
	let pageToken: string | undefined;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		demandNew(pageToken ?? "");
		const query = { startHistoryId: state.historyId, maxResults: perPage, pageToken };
		const page: z.infer<typeof pageSchema> | null = await api.json("/history", query, pageSchema);
		if (page === null) return false;
		for (const record of page.history) for (const threadId of changedBy(record, config)) mark(threadId, record.id, config, state);
		pageToken = page.nextPageToken;
		if (pageToken !== undefined) continue;
		state.historyId = page.historyId;
		return true;
	}
	return false;
}

/** The threads of which a document would say something else. */
function changedBy({ messagesAdded, messagesDeleted, labelsAdded, labelsRemoved }: z.infer<typeof recordSchema>, config: GmailConfig): readonly string[] {
	const isTold = (labelId: string) => !isState(labelId) || config.labels.includes(labelId);
	return [
		// A draft becomes another message when it is sent.
		...messagesAdded.filter(({ message }) => !isHidden(message.labelIds)),
		...messagesDeleted,
		...[...labelsAdded, ...labelsRemoved].filter(({ labelIds }) => labelIds.some(isTold)),
	].map(({ message }) => message.threadId);
}

function mark(threadId: string, recordId: string, { documentsMax }: GmailConfig, state: GmailState): void {
	const version = state.known.get(threadId);
	// It was read after this change: a first sync takes longer than its listing.
	if (version !== undefined && isBefore(recordId, version)) return;
	if (version !== undefined || state.known.size < documentsMax) state.known.set(threadId, "");
	else state.isPartial = true;
}

/** History ids grow; they are numbers of 64 bits. */
function isBefore(recordId: string, version: string): boolean {
	return /^\d+$/.test(recordId) && /^\d+$/.test(version) && BigInt(recordId) <= BigInt(version);
}

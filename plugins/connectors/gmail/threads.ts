/** Lists the threads of an account, or those with the chosen labels. */

import type { Step } from "cairn-memory";
import { z } from "zod";
import { demandList, type GoogleApi } from "../google-api.ts";
import { Selection } from "../known-items.ts";
import { neverTwice } from "../never-twice.ts";
import { type GmailConfig, provider } from "./config.ts";
import type { GmailState } from "./state.ts";

const pageSchema = z.object({ threads: z.array(z.object({ id: z.string(), historyId: z.string() })).default([]), nextPageToken: z.string().optional() });

/** Gmail's largest page. */
const perPage = 500;
/** Five million threads; a service that goes on forever is left. */
const pagesMax = 10_000;

export interface Survey {
	/** History ids by thread id. */
	readonly wanted: ReadonlyMap<string, string>;
	readonly isPartial: boolean;
}

/** Threads that are documents already come first, then the newest, so that a new one never displaces one. */
export async function survey(config: GmailConfig, { known, labels }: GmailState, api: GoogleApi, step: Step): Promise<Survey> {
	const found = new Selection<string>(known, config.documentsMax);
	const missing = config.labels.filter((label) => !labels.has(label));
	if (missing.length > 0) step.warn("GMAIL_LABEL_MISSING", `there is no label ${missing.join(", ")} any more`);
	// Gmail lists what has all of the labels that are asked for, so each is asked for alone.
	const each = config.labels.filter((label) => labels.has(label)).map((label) => [label]);
	for (const labelIds of config.labels.length === 0 ? [[]] : each) {
		for await (const page of listThreads(labelIds, api, step)) {
			for (const { id, historyId } of page) found.add(id, historyId);
			step.progress({ done: found.count, total: found.count, unit: "thread" });
		}
	}
	return found.chosen();
}

/** Threads of drafts alone are no documents, and would take the places of others. https://support.google.com/mail/answer/7190 */
const q = "-in:drafts";

/** Pages of threads with all of these labels, the newest first. Spam and bin are left out, which is Gmail's default. @throws ServiceError */
export async function* listThreads(labelIds: readonly string[], api: GoogleApi, step: Step): AsyncGenerator<z.infer<typeof pageSchema>["threads"]> {
	let pageToken: string | undefined;
	const demandNew = neverTwice(provider);
	for (let pages = 0; pages < pagesMax; pages++) {
		step.signal.throwIfAborted();
		demandNew(pageToken ?? "");
		const answer: z.infer<typeof pageSchema> | null = await api.json("/threads", { maxResults: perPage, q, labelIds, pageToken }, pageSchema);
		const page = demandList(answer, provider, "threads");
		yield page.threads;
		pageToken = page.nextPageToken;
		if (pageToken === undefined) return;
	}
}

/** One sync: what the history tells, a listing where this is not enough, and then the threads that are still to be read. */

import type { Change, Cursor, Step } from "cairn-memory";
import { type GoogleApi, keepingAnswers } from "../google-api.ts";
import { keepPages } from "../kept-pages.ts";
import { removeExcess, warnOfLimit } from "../known-items.ts";
import { type Pauses, putAll } from "../sync-listing.ts";
import type { GmailConfig } from "./config.ts";
import { followHistory } from "./history.ts";
import { listLabels } from "./labels.ts";
import { readProfile } from "./profile.ts";
import { readThread } from "./read-thread.ts";
import { type GmailState, readState, scopeOf, writeState } from "./state.ts";
import { listThreads, type Survey, survey } from "./threads.ts";

export async function* syncGmail(config: GmailConfig, from: Cursor | null, api: GoogleApi, step: Step, world: Pauses): AsyncGenerator<Change> {
	const state = readState(from);
	const pages = keepPages(from, scopeOf(config));
	const cursor = () => ({ ...pages.cursor(), ...writeState(state) });
	const listed = yield* pages.listing((kept) => list(config, state, keepingAnswers(api, kept), step), cursor);
	if (listed !== null) yield* adopt(listed, state, pages.isResumed(), cursor);
	pages.forget();
	yield* removeExcess(state, config.documentsMax, cursor);
	if (state.isPartial) warnOfLimit(step, config.documentsMax);
	// It announces what is read next, so that a kill loses none of it.
	yield { kind: "checkpoint", cursor };
	yield* readPending(config, state, cursor, api, step, world);
	if (!state.isPatchy) return;
	// Only now: a sync that is cut off while it reads would list everything again before it goes on.
	Object.assign(state, { isPatchy: false, scope: null });
	yield { kind: "checkpoint", cursor };
}

type Listed = Pick<GmailState, "scope" | "historyId"> & Survey;

/** Null if the history has told everything. */
async function list(config: GmailConfig, state: GmailState, api: GoogleApi, step: Step): Promise<Listed | null> {
	const scope = scopeOf(config);
	const isFollowed = state.scope === scope && (await followHistory(config, state, api, step));
	const hasRoom = state.isPartial && state.known.size < config.documentsMax;
	// It comes before all pages of threads, so that no change falls in between: a page for a renamed label may be one of the listing too.
	const profile = isFollowed && !hasRoom ? null : await readProfile(api);
	await followLabels(state, api, step);
	return profile === null ? null : { scope, historyId: profile.historyId, ...(await survey(config, state, api, step)) };
}

/** What pages of several attempts do not have is asked for one by one. */
async function* adopt({ scope, historyId, wanted, isPartial }: Listed, state: GmailState, isPatchy: boolean, cursor: () => Cursor): AsyncGenerator<Change> {
	for (const key of [...state.known.keys()].filter((id) => !wanted.has(id))) {
		if (isPatchy) {
			state.known.set(key, "");
			continue;
		}
		state.known.delete(key);
		yield { kind: "remove", key, cursor };
	}
	// A thread that was read keeps its history id until something happens to it.
	for (const [id, threadHistoryId] of wanted) if (state.known.get(id) !== threadHistoryId) state.known.set(id, "");
	Object.assign(state, { scope, historyId, isPartial, isPatchy });
}

/** A label with another name is in no history: what has it is read again. */
async function followLabels(state: GmailState, api: GoogleApi, step: Step): Promise<void> {
	const labels = new Map((await listLabels(api)).map(({ id, name }) => [id, name]));
	const renamed = [...labels].filter(([id, name]) => state.labels.has(id) && state.labels.get(id) !== name);
	for (const [id] of renamed)
		for await (const page of listThreads([id], api, step)) for (const thread of page) if (state.known.has(thread.id)) state.known.set(thread.id, "");
	state.labels = labels;
}

async function* readPending(config: GmailConfig, state: GmailState, cursor: () => Cursor, api: GoogleApi, step: Step, world: Pauses): AsyncGenerator<Change> {
	const pending = [...state.known].flatMap(([id, version]) => (version === "" ? [[id, { version: "" }] as const] : []));
	const source = {
		unit: "thread",
		failureCode: "GMAIL_THREAD_FAILED",
		versionOf: ({ version }: { readonly version: string }) => version,
		read: async (id: string, entry: { version: string }) => {
			const read = await readThread(id, config, state.labels, api, step);
			entry.version = read?.version ?? "";
			return read?.item ?? null;
		},
	};
	yield* putAll(pending, source, state.known, cursor, step, world);
}

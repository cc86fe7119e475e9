/** One sync: what the change logs tell, a listing where these are not enough, and then the files that are still to be read. */

import type { Change, Cursor, Step } from "cairn-memory";
import type { GoogleApi } from "../google-api.ts";
import { keepPages, type PageKeeper } from "../kept-pages.ts";
import { removeExcess } from "../known-items.ts";
import { putAll } from "../sync-listing.ts";
import { followLogs, isInScope, ownLog, startLogs } from "./change-logs.ts";
import type { DriveConfig } from "./config.ts";
import { type DriveFile, isDocument, versionOf } from "./file.ts";
import { readFile } from "./read-file.ts";
import { type DriveState, readState, scopeOf, writeState } from "./state.ts";
import { listDrives, readEntry, survey } from "./survey.ts";

/** Files that were listed in this sync, so that they are not asked for one by one. */
type Listed = Map<string, DriveFile>;

export async function* syncDrive(config: DriveConfig, from: Cursor | null, api: GoogleApi, step: Step): AsyncGenerator<Change> {
	const state = readState(from);
	const pages = keepPages(from, scopeOf(config));
	const cursor = () => ({ ...pages.cursor(), ...writeState(state) });
	const listed: Listed = new Map();
	const isListed = state.scope === scopeOf(config);
	// Pages of an earlier attempt say nothing of later changes, so the logs stay where they were before it until these pages are used up.
	const isResumed = pages.isResumed();
	if (isListed && !isResumed) yield* followLogs(config, state, listed, cursor, api, step);
	const hasRoom = state.isPartial && state.known.size < config.documentsMax;
	if (!isListed || isResumed || state.isStale || hasRoom) yield* listAll(config, state, listed, pages, cursor, api, step);
	yield* removeExcess(state, config.documentsMax, cursor);
	yield* readPending(config, state, listed, cursor, api, step);
}

async function* listAll(
	config: DriveConfig,
	state: DriveState,
	listed: Listed,
	pages: PageKeeper,
	cursor: () => Cursor,
	api: GoogleApi,
	step: Step,
): AsyncGenerator<Change> {
	const surveyed = () => pages.listing((kept) => survey(config, state.known, api, kept, step), cursor);
	const before = config.syncScope === "full" ? (await listDrives(api)).map(({ id }) => id) : [];
	await startLogs([ownLog, ...before], state, api);
	let found = yield* surveyed();
	const logs = [ownLog, ...found.drives];
	if (logs.some((log) => !state.tokens.has(log))) {
		// Only now it is known in which shared drives the folders lie. What changed before their logs begin is found by listing again.
		await startLogs(logs, state, api);
		pages.forget();
		found = yield* surveyed();
	}
	for (const log of [...state.tokens.keys()]) if (!logs.includes(log)) state.tokens.delete(log);
	const left = [...state.known.keys()].filter((id) => !found.wanted.has(id));
	// What a resumed listing does not have is left to the next sync, which lists anew.
	const isStale = pages.isResumed() && left.length > 0;
	for (const key of found.isComplete && !isStale ? left : []) {
		state.known.delete(key);
		yield { kind: "remove", key, cursor };
	}
	for (const [id, file] of found.wanted) {
		if (state.known.get(id) === versionOf(file)) continue;
		state.known.set(id, "");
		if (file.briefVersion === undefined) listed.set(id, file);
	}
	pages.forget();
	const { folders, shortcuts, targets, isPartial } = found;
	Object.assign(state, { scope: scopeOf(config), folders, shortcuts, targets, isPartial, isStale });
	yield { kind: "checkpoint", cursor };
}

async function* readPending(config: DriveConfig, state: DriveState, listed: Listed, cursor: () => Cursor, api: GoogleApi, step: Step): AsyncGenerator<Change> {
	const pending = [...state.known].flatMap(([id, version]) => (version === "" ? [[id, { id }] as const] : []));
	const source = {
		unit: "file",
		failureCode: "GOOGLE_DRIVE_FILE_FAILED",
		versionOf: ({ id }: { readonly id: string }) => {
			const file = listed.get(id);
			// It is not kept for longer: there may be ten thousand.
			listed.delete(id);
			return file === undefined ? "" : versionOf(file);
		},
		read: async (_key: string, { id }: { readonly id: string }) => {
			const file = listed.get(id) ?? (await readEntry(id, api));
			if (file === null || !isDocument(file) || !isInScope(file, config, state)) return null;
			listed.set(id, file);
			return readFile(file, api);
		},
	};
	yield* putAll(pending, source, state.known, cursor, step);
}
